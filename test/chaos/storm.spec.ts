import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from 'nestjs-lane/contract';

import { SeededRandom } from '../support/seeded-random.mjs';
import { STORM_OPERATIONS } from './storm/operations/index';
import { program } from './storm/program';
import { shrink } from './storm/shrink';
import { runStorm } from './storm/storm';
import { StormFailure } from './storm/storm-failure';

/** What `npm run storm` asks for. Anybody else gets a thousand steps, in weathers enough. */
const byHand = process.env.LANE_STORM;
const terms = JSON.parse(byHand ?? '{ "seeds": 4, "steps": 250, "shrink": 40 }') as {
  readonly seeds: number;
  readonly steps: number;
  /** Seconds. */
  readonly shrink: number;
};

const first = new SeededRandom().seed;
const seeds = Array.from({ length: terms.seeds }, (_, index) => (first + index) % 2 ** 32);

describe('a storm of operations', () => {
  it('has steps for all that changes a queue', () => {
    // Nothing makes schedulers whose iterations could be planned.
    const changing = Object.entries(OPERATIONS).filter(
      ([name, { mutating }]) => mutating && name !== 'planIteration',
    );
    const tried = STORM_OPERATIONS.map(({ operation }) => operation as string | undefined);

    expect(changing.map(([name]) => name).filter((name) => !tried.includes(name))).toEqual([]);
  });

  it.each(seeds)(
    'goes over memory and Redis alike (seed %d)',
    async (seed) => {
      const start = performance.now();
      const report = await runStorm(program(seed, terms.steps));
      const { failure, steps, added } = report;
      if (byHand !== undefined) {
        const seconds = ((performance.now() - start) / 1_000).toFixed(1);
        const outcome = failure === undefined ? 'fine' : 'WRONG';
        process.stdout.write(
          `${seeds.indexOf(seed) + 1}/${seeds.length} seed ${seed}: ${outcome}, ` +
            `${steps.length} steps, ${added} jobs, ${seconds} s\n`,
        );
      }
      if (failure !== undefined) {
        throw new StormFailure(seed, report, await shrink(report, terms.shrink * 1_000));
      }
      expect(steps).toHaveLength(terms.steps);
    },
    60_000 + 100 * terms.steps + 2_000 * terms.shrink,
  );
});
