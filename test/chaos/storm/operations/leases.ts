import type { HeldLease, RenewLeasesReply } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../../support/seeded-random.mjs';
import { numberedStep } from '../numbered-step';
import type { Scene } from '../scene';
import type { StormOperation } from './operation';

export const LEASES: readonly StormOperation[] = [
  {
    name: 'renew',
    operation: 'renewLeases',
    weight: 4,
    plan(scene, random) {
      const caller = scene.any(random, scene.callersOf('worker'));
      if (caller === undefined) return null;
      const leases = someLeases(scene, random, caller.name);
      if (leases.length === 0 || random.next() < 0.2) leases.push(oddLease(scene, random));
      const leaseDuration = random.pick([1, 10, 1_000, 30_000, 30_000, 400_000]);
      return numberedStep(scene, random, {
        caller,
        channels: 'control',
        operation: 'renewLeases',
        items: leases,
        request: { leaseDuration },
        leaseDuration,
        call: (handle, call, items, side) => {
          const own = items.map(({ id, token }) => ({ id, token: side.toToken(token) }));
          return handle.renewLeases({ leases: own, leaseDuration }, call);
        },
        learn(reply, later, items) {
          (reply as RenewLeasesReply).refusals.forEach((refusal, index) => {
            const renewed = later.leases.get(items[index]!.id);
            if (refusal === null && renewed !== undefined) renewed.endsAt = later.now + leaseDuration;
          });
        },
      });
    },
  },
  {
    name: 'recover',
    operation: 'recoverAbandonedJobs',
    weight: 5,
    always: true,
    plan(scene, random) {
      const caller = scene.any(random, scene.callersOf('worker'));
      if (caller === undefined) return null;
      const request = {
        sweepInterval: random.pick([1, 1, 1, 1_000, 30_000]),
        maxStalledCount: random.pick([0, 1, 1, 3]),
      };
      return numberedStep(scene, random, {
        caller,
        channels: 'control',
        operation: 'recoverAbandonedJobs',
        request,
        call: (handle, call) => handle.recoverAbandonedJobs(request, call),
      });
    },
  },
];

/** Some of those that a worker was given on jobs that are active still, in any order; more often few. */
export function someLeases(scene: Scene, random: SeededRandom, holder: string): HeldLease[] {
  const held = scene.openLeases.filter((lease) => lease.holder === holder);
  const count = Math.min(held.length, random.pick([1, 1, 2, 3, 8, 200]));
  return Array.from({ length: count }, () => {
    const [lease] = held.splice(random.integer(0, held.length - 1), 1);
    return { id: lease!.id, token: lease!.token };
  });
}

/** One that is no more, or somebody else's, or was never given. */
export function oddLease(scene: Scene, random: SeededRandom): HeldLease {
  const id = scene.any(random, scene.ids) ?? 'nobody';
  const former = scene.any(random, [...scene.formerLeases, ...scene.leases.values()]);
  const token = former?.token ?? 'none';
  return random.pick<HeldLease>([
    { id: 'nobody', token },
    { id, token },
    { id, token: 'none' },
    { id: former?.id ?? id, token },
    { id: scene.any(random, scene.openLeases)?.id ?? id, token },
  ]);
}
