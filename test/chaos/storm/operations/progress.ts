import { numberedStep } from '../numbered-step';
import type { StormOperation } from './operation';

export const PROGRESS: readonly StormOperation[] = [
  {
    name: 'progress',
    operation: 'updateProgress',
    weight: 3,
    plan(scene, random) {
      const updates = Array.from({ length: random.integer(1, 3) }, () => ({
        id: scene.any(random, [...scene.ids, 'nobody'])!,
        progress: random.pick(['10', '"half"', '{"step":"ü ☃"}', 'null']),
      }));
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'updateProgress',
        items: updates,
        call: (handle, call, items) => handle.updateProgress({ updates: items }, call),
      });
    },
  },
];
