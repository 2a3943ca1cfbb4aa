import { JOB_STATES } from 'nestjs-lane/contract';

import type { Scene } from '../scene';
import type { SeededRandom } from '../../../support/seeded-random.mjs';
import type { StormOperation } from './operation';

/** Every job is looked at after each step; these are the ways of asking for a part of them. */
export const LOOKING: readonly StormOperation[] = [
  {
    name: 'look up ids',
    weight: 2,
    plan(scene, random) {
      const ids = someIds(scene, random);
      return {
        text: `getJobs and getStates ${JSON.stringify(ids)}`,
        act: async ({ observer }) => [await observer.getJobs(ids), await observer.getStates(ids)],
      };
    },
  },
  {
    name: 'look up a page',
    weight: 2,
    plan(_scene, random) {
      const request = {
        state: random.pick(JOB_STATES as unknown as [(typeof JOB_STATES)[number]]),
        offset: random.pick([0, 0, 1, 2, 5, 1_000]),
        limit: random.pick([null, 0, 1, 2, 5]),
        order: random.pick(['ascending', 'descending'] as const),
      };
      return {
        text: `getPage ${JSON.stringify(request)}`,
        act: ({ observer }) => observer.getPage(request),
      };
    },
  },
];

/** Some that are stored and some that are not, in any order, also twice. */
function someIds(scene: Scene, random: SeededRandom): string[] {
  const known = ['nobody', 'constructor', '__proto__', ...scene.ids];
  return Array.from({ length: random.integer(0, 5) }, () => scene.any(random, known)!);
}
