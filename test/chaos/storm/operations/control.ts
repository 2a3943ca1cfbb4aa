import { numberedStep } from '../numbered-step';
import type { StormOperation } from './operation';

export const CONTROL: readonly StormOperation[] = (['pause', 'resume'] as const).map((operation) => ({
  name: operation,
  operation,
  weight: operation === 'pause' ? 1 : 2,
  plan(scene, random) {
    const caller = scene.any(random, scene.callers)!;
    return numberedStep(scene, random, {
      caller,
      channels: 'control',
      operation,
      call: (handle, call) => handle[operation](call),
    });
  },
}));
