import { numberedStep } from '../numbered-step';
import type { StormOperation } from './operation';
import { someIds } from './some-ids';

/** Jobs that are cancelled, held or not. What becomes of held ones, later steps show. */
export const CANCELLING: readonly StormOperation[] = [
  {
    name: 'cancel',
    operation: 'cancelJobs',
    weight: 2,
    plan(scene, random) {
      const ids = someIds(scene, random, ['waiting', 'prioritized', 'delayed', 'active', 'active']);
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'cancelJobs',
        items: ids.map((id) => ({ id, reason: random.pick(['cancelled', 'cancelled: ü ☃']) })),
        call: (handle, call, cancels) => handle.cancelJobs({ cancels }, call),
      });
    },
  },
];
