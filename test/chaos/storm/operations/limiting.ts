import type { MutatingCall, QueueBackend, RateLimit, Reply } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../../support/seeded-random.mjs';
import { numberedStep } from '../numbered-step';
import type { Scene, Step } from '../scene';
import type { StormOperation } from './operation';

export const LIMITING: readonly StormOperation[] = [
  {
    name: 'set the ceiling',
    operation: 'setCeiling',
    weight: 1,
    plan(scene, random) {
      const request = { ceiling: random.pick([null, null, 1, 2, 5, 100]) };
      return limitingStep(scene, random, 'setCeiling', request, (handle, call) =>
        handle.setCeiling(request, call),
      );
    },
  },
  {
    name: 'set the rate',
    operation: 'setRateLimit',
    weight: 1,
    plan(scene, random) {
      const request = { limit: random.pick([null, null, someRate(random)]) };
      return limitingStep(scene, random, 'setRateLimit', request, (handle, call) =>
        handle.setRateLimit(request, call),
      );
    },
  },
  {
    name: 'limit by hand',
    operation: 'limitClaims',
    weight: 1,
    plan(scene, random) {
      const request = { duration: random.pick([null, 1, 100, 5_000]) };
      return limitingStep(scene, random, 'limitClaims', request, (handle, call) =>
        handle.limitClaims(request, call),
      );
    },
  },
  {
    name: 'look at limits',
    weight: 2,
    plan(_scene, random) {
      const max = random.pick([null, 1, 3, 100]);
      return {
        text: `limits, for a rate of ${max}`,
        act: async ({ observer }) => {
          const { ceiling, max: rate, duration } = await observer.getSettings();
          return [ceiling, rate, duration, await observer.isMaxed(), await observer.getRateLimitTtl(max)];
        },
      };
    },
  },
];

/** The rate of a queue, or of a worker's own. */
export function someRate(random: SeededRandom): RateLimit {
  return { max: random.pick([1, 2, 5, 50]), duration: random.pick([1, 50, 1_000, 60_000]) };
}

function limitingStep(
  scene: Scene,
  random: SeededRandom,
  operation: 'setCeiling' | 'setRateLimit' | 'limitClaims',
  request: object,
  call: (handle: QueueBackend, call: MutatingCall) => Promise<Reply>,
): Step {
  const caller = scene.any(random, scene.callers)!;
  return numberedStep(scene, random, { caller, channels: 'control', operation, request, call });
}
