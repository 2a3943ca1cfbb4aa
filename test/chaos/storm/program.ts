import { SeededRandom } from '../../support/seeded-random.mjs';
import { STORM_OPERATIONS } from './operations/index';
import type { NextStep } from './storm';

/** How often a kind of step comes in one storm, beside how often it comes as a rule. */
const weather = [0, 0.3, 1, 1, 1, 3] as const;
const lasting = [0.5, 1, 1, 2] as const;

/** Times that a step is looked for, when there is nothing to do for most kinds. */
const attempts = 1_000;

/**
 * So many steps that follow from a seed. Each storm has a weather of its own, in which some kinds of steps are rare or
 * missing: what needs a lot of one kind, or a long time without another, comes about in some of them.
 */
export function program(seed: number, steps: number): NextStep {
  const random = new SeededRandom(seed);
  const weights = STORM_OPERATIONS.map(
    ({ weight, always }) => weight * random.pick(always ? lasting : weather),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let taken = 0;
  return (scene) => {
    if (taken === steps) return null;
    taken += 1;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      let rest = random.next() * sum;
      const step = STORM_OPERATIONS[weights.findIndex((weight) => (rest -= weight) < 0)]?.plan(scene, random);
      if (step != null) return step;
    }
    throw new Error(`There was nothing to do for any of ${attempts} steps.`);
  };
}
