import {
  KEEP_ALL,
  type HeldLease,
  type Outcome,
  type Retention,
  type SettleJobsReply,
} from 'nestjs-lane/contract';

import type { SeededRandom } from '../../../support/seeded-random.mjs';
import { numberedStep } from '../numbered-step';
import type { Caller, Scene } from '../scene';
import { claimed, claimRequest } from './claiming';
import { oddLease, someLeases } from './leases';
import type { StormOperation } from './operation';

export const SETTLING: readonly StormOperation[] = [
  {
    name: 'settle',
    operation: 'settleJobs',
    weight: 16,
    always: true,
    plan(scene, random) {
      const caller = scene.any(random, scene.callersOf('worker'));
      if (caller === undefined) return null;
      const leases = leasesToSettle(scene, random, caller);
      if (leases.length === 0) return null;
      // Those of jobs that were added alike are the same, and are applied together.
      const shared = random.next() < 0.6 ? retentionOf(random) : null;
      const outcomes = leases.map((lease) => outcomeOf(scene, random, lease, shared));
      const claim = random.next() < 0.4 ? claimRequest(random, caller) : null;
      return numberedStep(scene, random, {
        caller,
        channels: 'work',
        operation: 'settleJobs',
        items: outcomes,
        ...(claim !== null && { request: claim, leaseDuration: claim.leaseDuration }),
        call: (handle, call, items, side) => {
          const own = items.map((outcome) => ({ ...outcome, token: side.toToken(outcome.token) }));
          return handle.settleJobs({ outcomes: own, claim }, call);
        },
        learn(reply, later) {
          const { claim: got } = reply as SettleJobsReply;
          if (claim !== null && got !== null) claimed(later, caller, got, claim);
        },
      });
    },
  },
];

/** Mostly what the worker holds; sometimes what it holds no more or never did, or a job twice. */
function leasesToSettle(scene: Scene, random: SeededRandom, { name }: Caller): HeldLease[] {
  const leases = someLeases(scene, random, name);
  if (random.next() < 0.15) leases.splice(random.integer(0, leases.length), 0, oddLease(scene, random));
  const again = scene.any(random, leases);
  if (again !== undefined && random.next() < 0.05) leases.push(again);
  return leases;
}

function outcomeOf(
  scene: Scene,
  random: SeededRandom,
  { id, token }: HeldLease,
  shared: Retention | null,
): Outcome {
  const retention = shared ?? retentionOf(random);
  const lease = { id, token };
  const chance = random.next();
  if (chance < 0.5) {
    const returnValue = random.pick(['null', '1', '{"ü":"☃"}', '']);
    return { ...lease, kind: 'completed', returnValue, retention };
  }
  const reason = random.pick(['broken', '', 'ü ☃: \u0001']);
  const stacktrace = random.pick(['[]', '["Error: broken"]']);
  if (chance < 0.68) {
    const [code, attempts] = [random.pick([null, 'no-handler']), random.pick([1, 2, 3])];
    return { ...lease, kind: 'failed', reason, stacktrace, code, attempts, retention };
  }
  if (chance < 0.86) {
    const delay = random.pick([0, 0, 0, 1, 10, 0.5, 5_000, 600_000]);
    return { ...lease, kind: 'retry', reason, stacktrace, delay, lifo: random.next() < 0.3 };
  }
  if (chance < 0.92) {
    const until = scene.now + random.pick([-5, 0, 0.5, 1, 10, 5_000, 600_000]);
    return { ...lease, kind: 'delayed', until, ...random.pick([{}, {}, { unhandled: 1 }, { unhandled: 2 }]) };
  }
  return { ...lease, kind: 'handed-back' };
}

/** As a rule all is kept, so that there is something that another one can remove. */
function retentionOf(random: SeededRandom): Retention {
  if (random.next() < 0.6) return KEEP_ALL;
  return {
    count: random.pick([-1, -1, 0, 0, 1, 3, 10, 20]),
    age: random.pick([null, null, null, 0, 1, 1_000, 60_000]),
    limit: random.pick([1_000, 1_000, 1, 2]),
  };
}
