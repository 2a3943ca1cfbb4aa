import type { JobState } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../../support/seeded-random.mjs';
import type { Scene } from '../scene';

/** Mostly of jobs in given states, sometimes in any or in none; also twice. */
export function someIds(scene: Scene, random: SeededRandom, states: readonly JobState[]): string[] {
  const fitting = states.flatMap((state) => scene.seen.jobs[state].map(({ id }) => id));
  return Array.from({ length: random.pick([1, 1, 2, 4]) }, () => {
    const isFitting = fitting.length > 0 && random.next() < 0.85;
    return scene.any(random, isFitting ? fitting : ['nobody', ...scene.ids])!;
  });
}
