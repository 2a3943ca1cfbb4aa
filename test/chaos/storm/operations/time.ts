import type { Scene, Step } from '../scene';
import type { StormOperation } from './operation';

const short = [1, 1, 1, 2, 9, 10, 500] as const;
const long = [1_000, 1_000, 5_000, 5_000, 30_000, 60_000, 400_000, 3_600_000] as const;

export const TIME: readonly StormOperation[] = [
  {
    name: 'let time pass',
    weight: 8,
    always: true,
    plan(_scene, random) {
      const millis = random.next() < 0.75 ? random.pick(short) : random.pick(long);
      return passStep(millis);
    },
  },
  {
    name: 'let time pass to a moment that counts',
    weight: 4,
    plan(scene, random) {
      const moment = scene.any(random, momentsAhead(scene));
      const millis = moment === undefined ? 0 : moment - scene.now + random.pick([-1, 0, 0, 1]);
      return millis > 0 ? passStep(millis) : null;
    },
  },
];

export function passStep(millis: number): Step {
  return { text: `${millis} ms pass`, advance: millis, act: () => Promise.resolve(null) };
}

/** When leases end, jobs come due, and outcomes of calls are kept no more. */
function momentsAhead(scene: Scene): number[] {
  const ends = scene.openLeases.map(({ endsAt }) => Math.ceil(endsAt));
  const dues = scene.dueTimes;
  return [...ends, ...dues].filter((moment) => moment > scene.now);
}
