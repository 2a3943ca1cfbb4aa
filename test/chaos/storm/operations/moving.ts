import type { FinishedState, MoveJobsReply } from 'nestjs-lane/contract';

import { numberedStep } from '../numbered-step';
import type { Scene } from '../scene';
import type { StormOperation } from './operation';
import { someIds } from './some-ids';

const priorities = [0, 0, 1, 1, 2, 3, 2_097_151] as const;

export const MOVING: readonly StormOperation[] = [
  {
    name: 'promote',
    operation: 'promoteJobs',
    weight: 1.5,
    plan(scene, random) {
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'promoteJobs',
        items: someIds(scene, random, ['delayed']),
        call: (handle, call, ids) => handle.promoteJobs({ ids }, call),
      });
    },
  },
  {
    name: 'promote all',
    operation: 'promoteDelayedJobs',
    weight: 0.5,
    plan(scene, random) {
      const request = { count: random.pick([1, 2, 5, 1_000]) };
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'promoteDelayedJobs',
        request,
        call: (handle, call) => handle.promoteDelayedJobs(request, call),
      });
    },
  },
  {
    name: 'change delay',
    operation: 'changeDelays',
    weight: 1.5,
    plan(scene, random) {
      const changes = someIds(scene, random, ['delayed']).map((id) => ({
        id,
        delay: random.pick([0, 0.5, 1, 1, 10, 10, 5_000, 60_000]),
      }));
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'changeDelays',
        items: changes,
        call: (handle, call, items) => handle.changeDelays({ changes: items }, call),
      });
    },
  },
  {
    name: 'change priority',
    operation: 'changePriorities',
    weight: 2.5,
    plan(scene, random) {
      const changes = someIds(scene, random, ['waiting', 'prioritized', 'active', 'delayed']).map((id) => ({
        id,
        priority: random.pick(priorities),
        lifo: random.next() < 0.4,
      }));
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'changePriorities',
        items: changes,
        call: (handle, call, items) => handle.changePriorities({ changes: items }, call),
        learn(reply, { sent }, items) {
          (reply as MoveJobsReply).refusals.forEach((refusal, index) => {
            const { id, priority } = items[index]!;
            const job = sent.get(id);
            if (refusal === null && job !== undefined) sent.set(id, { ...job, priority });
          });
        },
      });
    },
  },
  {
    name: 'retry',
    operation: 'retryJobs',
    weight: 2,
    plan(scene, random) {
      const retries = someIds(scene, random, ['completed', 'failed']).map((id) => ({
        id,
        state: random.next() < 0.8 ? endOf(scene, id) : random.pick<FinishedState>(['completed', 'failed']),
        lifo: random.next() < 0.3,
        resetAttemptsMade: random.next() < 0.5,
        resetAttemptsStarted: random.next() < 0.5,
      }));
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'retryJobs',
        items: retries,
        call: (handle, call, items) => handle.retryJobs({ retries: items }, call),
      });
    },
  },
  {
    name: 'retry all',
    operation: 'retryFinishedJobs',
    weight: 0.5,
    plan(scene, random) {
      const request = {
        state: random.pick<FinishedState>(['completed', 'failed']),
        count: random.pick([1, 2, 5, 1_000]),
        until: random.pick([null, scene.now, scene.now - 1, scene.now - 1_000]),
      };
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'retryFinishedJobs',
        request,
        call: (handle, call) => handle.retryFinishedJobs(request, call),
      });
    },
  },
];

function endOf({ seen }: Scene, id: string): FinishedState {
  return seen.jobs.failed.some((job) => job.id === id) ? 'failed' : 'completed';
}
