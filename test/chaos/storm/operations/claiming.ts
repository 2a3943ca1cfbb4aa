import type { Claim, ClaimExpiredJobsReply, ClaimJobsReply, ClaimRequest } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../../support/seeded-random.mjs';
import { numberedStep } from '../numbered-step';
import type { Caller, Scene } from '../scene';
import { someRate } from './limiting';
import type { StormOperation } from './operation';

export const CLAIMING: readonly StormOperation[] = [
  {
    name: 'claim',
    operation: 'claimJobs',
    weight: 10,
    always: true,
    plan(scene, random) {
      const caller = scene.any(random, scene.callersOf('worker'));
      if (caller === undefined) return null;
      const request = claimRequest(random, caller);
      return numberedStep(scene, random, {
        caller,
        channels: 'work',
        operation: 'claimJobs',
        request,
        leaseDuration: request.leaseDuration,
        call: (handle, call) => handle.claimJobs(request, call),
        learn: (reply, later) => claimed(later, caller, (reply as ClaimJobsReply).claim, request),
      });
    },
  },
  {
    name: 'claim expired',
    operation: 'claimExpiredJobs',
    weight: 2.5,
    plan(scene, random) {
      const caller = scene.any(random, scene.callersOf('worker'));
      if (caller === undefined) return null;
      const { count, leaseDuration, workerName } = claimRequest(random, caller);
      const request = { count, leaseDuration, workerName };
      return numberedStep(scene, random, {
        caller,
        channels: 'control',
        operation: 'claimExpiredJobs',
        request,
        leaseDuration,
        call: (handle, call) => handle.claimExpiredJobs(request, call),
        learn: (reply, later) => claimed(later, caller, (reply as ClaimExpiredJobsReply).claim, request),
      });
    },
  },
];

export function claimRequest(random: SeededRandom, caller: Caller): ClaimRequest {
  return {
    count: random.pick([1, 1, 2, 3, 5, 10, 200]),
    leaseDuration: random.pick([1, 10, 1_000, 1_000.5, 30_000, 30_000, 400_000, 400_000]),
    workerName: random.pick([null, null, caller.name, 'ü ☃']),
    ...(random.next() < 0.1 && { token: random.pick(['by hand', 'ü:☃']) }),
    ...(random.next() < 0.1 && { limiter: someRate(random) }),
  };
}

/** Takes in the leases of a claim. */
export function claimed(scene: Scene, { name }: Caller, claim: Claim, { leaseDuration }: ClaimRequest): void {
  for (const { id } of claim.jobs) {
    scene.leased({ id, token: claim.token, holder: name, endsAt: scene.now + leaseDuration });
  }
}
