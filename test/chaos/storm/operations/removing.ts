import type { CleanJobsReply, DrainQueueReply, JobState, ObliterateQueueReply } from 'nestjs-lane/contract';

import { numberedStep } from '../numbered-step';
import type { StormOperation } from './operation';
import { someIds } from './some-ids';

const cleaned = [
  'waiting',
  'prioritized',
  'delayed',
  'active',
  'completed',
  'failed',
  'paused',
  'waiting-children',
] as const satisfies readonly (JobState | 'paused')[];

export const REMOVING: readonly StormOperation[] = [
  {
    name: 'remove',
    operation: 'removeJobs',
    weight: 1.5,
    plan(scene, random) {
      const ids = someIds(scene, random, [
        'waiting',
        'prioritized',
        'delayed',
        'active',
        'completed',
        'failed',
      ]);
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'removeJobs',
        items: ids.map((id) => ({ id, removeChildren: random.next() < 0.5 })),
        call: (handle, call, items) => handle.removeJobs({ jobs: items }, call),
      });
    },
  },
  {
    name: 'clean',
    operation: 'cleanJobs',
    weight: 1,
    plan(scene, random) {
      const request = {
        state: random.pick(cleaned),
        before: scene.now - random.pick([-1, 0, 1, 10, 1_000, 60_000]),
        kept: random.pick([0, 0, 0, 1, 3]),
        limit: random.pick([1, 2, 5, 1_000]),
      };
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'cleanJobs',
        request,
        call: (handle, call) => handle.cleanJobs(request, call),
        learn: (reply, later) => later.vanish((reply as CleanJobsReply).removed.length),
      });
    },
  },
  {
    name: 'drain',
    operation: 'drainQueue',
    weight: 0.3,
    plan(scene, random) {
      // Nothing is kept where there are no schedulers.
      const request = { delayed: random.next() < 0.5, kept: 0 };
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'drainQueue',
        request,
        call: (handle, call) => handle.drainQueue(request, call),
        learn: (reply, later) => later.vanish((reply as DrainQueueReply).removed),
      });
    },
  },
  {
    name: 'obliterate',
    operation: 'obliterateQueue',
    weight: 0.5,
    plan(scene, random) {
      const request = { force: random.next() < 0.6, limit: random.pick([1, 5, 20, 1_000]) };
      const step = numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'obliterateQueue',
        request,
        call: (handle, call) => handle.obliterateQueue(request, call),
        learn: (reply, later) => later.vanish((reply as ObliterateQueueReply).removed),
      });
      return { ...step, dropsEvents: true };
    },
  },
  {
    name: 'trim events',
    operation: 'trimEvents',
    weight: 0.5,
    plan(scene, random) {
      // From then on how many there are depends on the store.
      if (scene.eventsTold > 5_000) return null;
      const request = { maxLength: random.pick([0, 1, 10, 1_000]) };
      const step = numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'trimEvents',
        request,
        call: (handle, call) => handle.trimEvents(request, call),
      });
      return { ...step, dropsEvents: true };
    },
  },
  {
    name: 'remove orphans',
    operation: 'removeOrphanedJobs',
    weight: 0.5,
    plan(scene, random) {
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'removeOrphanedJobs',
        items: someIds(scene, random, []),
        call: (handle, call, ids) => handle.removeOrphanedJobs({ ids }, call),
      });
    },
  },
  {
    name: 'look for orphans',
    operation: 'findOrphanedJobs',
    weight: 0.5,
    plan: () => ({
      text: 'findOrphanedJobs',
      async act({ observer }) {
        const found: string[] = [];
        for (let cursor: string | null = null, isFirst = true; cursor !== null || isFirst; isFirst = false) {
          const part = await observer.findOrphanedJobs({ cursor, count: 1_000 });
          found.push(...part.ids);
          ({ cursor } = part);
        }
        return found;
      },
    }),
  },
];
