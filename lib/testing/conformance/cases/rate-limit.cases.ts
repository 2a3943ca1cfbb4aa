import assert from 'node:assert/strict';

import type { Claim } from '../../../contract/job-handover';
import type { ContractCase } from '../conformance-case';
import { completed, handBack, leaseOf, type QueueUser } from '../queue-user';

const SECOND = 1_000;

function idsOf({ jobs }: Claim): string[] {
  return jobs.map((job) => job.id);
}

/** So many plain jobs: `1`, `2`… */
async function addSome(user: QueueUser, count: number): Promise<void> {
  await user.add(...Array.from({ length: count }, () => ({})));
}

/**
 * How many jobs of a queue may be claimed in a time.
 *
 * @internal
 */
export const RATE_LIMIT_CASES: readonly ContractCase[] = [
  {
    operation: 'setRateLimit',
    title: 'LIM-05 has as many jobs claimed in a window as it says, by all callers together, and no more',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      const now = await user.handle.time();
      assert.deepEqual(await user.setRateLimit({ max: 3, duration: SECOND }), { now });
      await addSome(user, 8);
      await context.advance(300);
      const before = await user.job('4');

      assert.deepEqual(idsOf(await user.claim(1)), ['1']);
      const claim = await other.claim(5);

      assert.deepEqual([idsOf(claim), claim.idle], [['2', '3'], { reason: 'limited', dueIn: SECOND }]);
      await context.advance(SECOND - 1);
      const none = await user.claim(5);
      assert.deepEqual([none.jobs, none.idle], [[], { reason: 'limited', dueIn: 1 }]);
      assert.deepEqual(await user.job('4'), before);
      await context.advance(1);
      assert.deepEqual(idsOf(await user.claim(5)), ['4', '5', '6']);
    },
  },
  {
    operation: 'setRateLimit',
    title:
      'LIM-07 begins a window with its first job, whenever that is, and not with the end of the last one',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 1, duration: SECOND });
      await addSome(user, 3);
      await user.claim(1);
      await context.advance(SECOND + 600);
      assert.deepEqual(idsOf(await user.claim(5)), ['2']);
      await context.advance(600);
      assert.deepEqual((await user.claim(5)).idle, { reason: 'limited', dueIn: 400 });
      await context.advance(400);

      assert.deepEqual(idsOf(await user.claim(5)), ['3']);
    },
  },
  {
    operation: 'setRateLimit',
    title: 'LIM-08 counts no claim that brings nothing, and counts one once that is made again',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 2, duration: SECOND });
      for (let more = 0; more < 4; more += 1) {
        assert.deepEqual((await user.claim(5)).idle, { reason: 'empty', dueIn: null });
      }
      await addSome(user, 4);
      const call = await user.nextCall('w1');
      await user.claimWith(call, 1);
      await user.claimWith(call, 1);
      await user.claimWith(call, 1);

      const claim = await user.claim(5);

      assert.deepEqual([idsOf(claim), claim.idle], [['2'], { reason: 'limited', dueIn: SECOND }]);
    },
  },
  {
    operation: 'setRateLimit',
    title:
      'tells no limit where nothing more is ready, nor where the last permit was for the last job wanted',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 2, duration: SECOND });
      await addSome(user, 3);
      assert.equal((await user.claim(2)).idle, null);
      await context.advance(SECOND);

      assert.deepEqual((await user.claim(2)).idle, { reason: 'empty', dueIn: null });
    },
  },
  {
    operation: 'setRateLimit',
    title: 'keeps the order of what it holds back, plain and prioritized',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 3, duration: SECOND });
      await user.add(
        { id: 'low', priority: 9 },
        { id: 'high', priority: 1 },
        { id: 'equal', priority: 9 },
        { id: 'a' },
        { id: 'b' },
      );
      await user.addIds('c');

      assert.deepEqual(idsOf(await user.claim(200)), ['a', 'b', 'c']);
      assert.deepEqual(await user.ids('prioritized'), ['high', 'low', 'equal']);
      await context.advance(SECOND);
      await user.add({ id: 'd' });
      assert.deepEqual(idsOf(await user.claim(200)), ['d', 'high', 'low']);
      assert.deepEqual(await user.ids('prioritized'), ['equal']);
    },
  },
  {
    operation: 'setRateLimit',
    title: 'lets due jobs wait while it lets none through',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 1, duration: SECOND });
      await user.add({ id: 'a' }, { id: 'due', delay: 10 });
      await user.claim(1);
      await context.advance(10);

      const claim = await user.claim(1);

      assert.deepEqual([claim.jobs, claim.idle], [[], { reason: 'limited', dueIn: SECOND - 10 }]);
      assert.deepEqual(await user.ids('waiting'), ['due']);
    },
  },
  {
    operation: 'setRateLimit',
    title: 'counts no job that is to fail without running',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add(...['x', 'y', 'z'].map((id) => ({ id })));
      await user.claim(3, { leaseDuration: 10 });
      await user.recover({ maxStalledCount: 0 });
      await context.advance(30_000);
      await user.recover({ maxStalledCount: 0 });
      await user.addIds('a', 'b');
      await user.setRateLimit({ max: 1, duration: SECOND });

      const claim = await user.claim(5);

      assert.deepEqual(
        claim.jobs.map(({ id, deferredFailure }) => [id, deferredFailure !== null]),
        [
          ['x', true],
          ['y', true],
          ['z', true],
          ['a', false],
        ],
      );
      assert.deepEqual(claim.idle, { reason: 'limited', dueIn: SECOND });
    },
  },
  {
    operation: 'setRateLimit',
    title: 'takes outcomes while it lets nothing through, and claims with them once it does',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 2, duration: SECOND });
      await addSome(user, 5);
      const claim = await user.claim(2);

      const limited = await user.settle(completed(claim).slice(1), 5);
      context.expectRefusals(limited, null);
      assert.deepEqual(
        [limited.claim?.jobs, limited.claim?.idle],
        [[], { reason: 'limited', dueIn: SECOND }],
      );
      await context.advance(SECOND);
      const reply = await user.settle(completed(claim).slice(0, 1), 5);

      assert.deepEqual(idsOf(reply.claim!), ['3', '4']);
    },
  },
  {
    operation: 'setRateLimit',
    title: 'LIM-10 keeps what was counted when it changes; a new length holds from the next window on',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 2, duration: SECOND });
      await addSome(user, 9);
      await user.claim(2);
      await user.setRateLimit({ max: 3, duration: 100 });
      const claim = await user.claim(5);
      assert.deepEqual([idsOf(claim), claim.idle], [['3'], { reason: 'limited', dueIn: SECOND }]);
      await context.advance(SECOND);
      assert.deepEqual(idsOf(await user.claim(5)), ['4', '5', '6']);
      await context.advance(100);

      assert.equal((await user.claim(2)).jobs.length, 2);
    },
  },
  {
    operation: 'setRateLimit',
    title: 'LIM-02 holds nothing back any more when it is taken back, and leaves the window as it is',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 1, duration: SECOND });
      await addSome(user, 9);
      await user.claim(1);
      await user.setRateLimit(null);

      assert.equal((await user.claim(4)).jobs.length, 4);
      assert.equal(await user.handle.getRateLimitTtl(1), SECOND);
      await user.setRateLimit({ max: 1, duration: SECOND });
      assert.deepEqual((await user.claim(4)).idle, { reason: 'limited', dueIn: SECOND });
    },
  },
  {
    operation: 'claimJobs',
    title: 'LIM-01 goes by the limiter of its worker, which counts with that of others',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      const limiter = { max: 2, duration: SECOND };
      await addSome(user, 9);
      await user.claim(1, { limiter });

      const claim = await other.claim(5, { limiter: { max: 3, duration: 60_000 } });
      assert.deepEqual([idsOf(claim), claim.idle], [['2', '3'], { reason: 'limited', dueIn: SECOND }]);
      assert.deepEqual((await user.claim(5, { limiter })).idle, { reason: 'limited', dueIn: SECOND });
      // One without counts for none, and is not counted.
      assert.deepEqual(idsOf(await user.claim(1)), ['4']);
      await context.advance(SECOND);
      assert.deepEqual(idsOf(await user.claim(5, { limiter })), ['5', '6']);
    },
  },
  {
    operation: 'claimJobs',
    title:
      'LIM-01 goes by the number of the queue before that of its worker, and by the window of its worker first',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.setRateLimit({ max: 3, duration: SECOND });
      await addSome(user, 9);

      const claim = await user.claim(5, { limiter: { max: 1, duration: 5 * SECOND } });

      assert.deepEqual(
        [idsOf(claim), claim.idle],
        [['1', '2', '3'], { reason: 'limited', dueIn: 5 * SECOND }],
      );
      await context.advance(5 * SECOND);
      assert.deepEqual((await user.claim(5)).idle, { reason: 'limited', dueIn: SECOND });
    },
  },
  {
    operation: 'settleJobs',
    title: 'claims by the limiter of its worker',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const limiter = { max: 2, duration: SECOND };
      await addSome(user, 5);
      const claim = await user.claim(1, { limiter });

      const reply = await user.settle(completed(claim), 5, { limiter });

      assert.deepEqual(
        [idsOf(reply.claim!), reply.claim?.idle],
        [['2'], { reason: 'limited', dueIn: SECOND }],
      );
    },
  },
  {
    operation: 'limitClaims',
    title:
      'LIM-04 lets nothing through for a time where there is a rate, and null ends it and any other window',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const limiter = { max: 100, duration: SECOND };
      await addSome(user, 9);
      await user.claim(1, { limiter });
      const now = await user.handle.time();
      assert.deepEqual(await user.limitClaims(5_000), { now });

      assert.deepEqual((await user.claim(1, { limiter })).idle, { reason: 'limited', dueIn: 5_000 });
      assert.deepEqual(idsOf(await user.claim(1)), ['2']);
      await user.limitClaims(null);
      assert.deepEqual(idsOf(await user.claim(1, { limiter })), ['3']);
      await user.limitClaims(70);
      await user.setRateLimit({ max: 1, duration: SECOND });
      assert.deepEqual((await user.claim(1)).idle, { reason: 'limited', dueIn: 70 });
      await context.advance(70);
      assert.deepEqual(idsOf(await user.claim(5)), ['4']);
      assert.deepEqual((await user.claim(1)).idle, { reason: 'limited', dueIn: SECOND });
      await user.limitClaims(null);
      assert.deepEqual(idsOf(await user.claim(5)), ['5']);
      assert.equal((await user.handle.getSettings()).max, 1);
    },
  },
  {
    operation: 'settleJobs',
    title:
      'takes a job back that has met a limit, first of all and at no cost, and heeds it without a rate too',
    covers: ['success', 'event:waiting'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(1);
      await user.limitClaims(SECOND);
      const tail = await context.tail(user);

      const reply = await user.settle([handBack(leaseOf(claim), { isLimited: true })], 2);

      assert.deepEqual([reply.claim?.jobs, reply.claim?.idle], [[], { reason: 'limited', dueIn: SECOND }]);
      await tail.expect([{ event: 'waiting', jobId: 'a', prev: 'active' }]);
      assert.deepEqual(await user.ids('waiting'), ['a', 'b', 'c']);
      assert.deepEqual([(await user.job('a'))?.attemptsMade, (await user.job('a'))?.attemptsStarted], [0, 1]);
      const others = await user.claim(1);
      assert.deepEqual(idsOf(others), ['a']);
      assert.deepEqual(idsOf((await user.settle([handBack(leaseOf(others))], 1)).claim!), ['a']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'T-B24 claims a job again at once whose limit is over when it comes back',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      for (const limiter of [undefined, { max: 9, duration: SECOND }]) {
        const changes = limiter === undefined ? {} : { limiter };
        const claim = await user.claim(1, changes);
        await user.limitClaims(1);
        await context.advance(20);

        const reply = await user.settle([handBack(leaseOf(claim), { isLimited: true })], 1, changes);

        assert.deepEqual(idsOf(reply.claim!), ['a']);
        await user.settle([handBack(leaseOf(reply.claim!))]);
      }
    },
  },
  {
    operation: 'settleJobs',
    title: 'heeds no limit for the sake of a job that it does not take back',
    covers: ['refusal:LeaseMissing'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      await user.limitClaims(SECOND);

      const reply = await user.settle([handBack({ id: 'a', token: 'none' }, { isLimited: true })], 1);

      assert.deepEqual(idsOf(reply.claim!), ['a']);
      assert.equal(reply.refusals.length, 1);
      context.expectRefusals(reply, -2);
    },
  },
  {
    operation: 'getRateLimitTtl',
    title: 'LIM-03 tells how long nothing is let through, by a number, by that of the queue, or by none',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const other = context.open();
      const ttl = (max: number | null): Promise<number> => other.handle.getRateLimitTtl(max);
      assert.deepEqual([await ttl(1), await ttl(null)], [0, -2]);
      await addSome(user, 9);
      await user.claim(3, { limiter: { max: 5, duration: SECOND } });
      await context.advance(100);
      assert.deepEqual([await ttl(3), await ttl(4), await ttl(null)], [900, 0, 900]);
      await user.setRateLimit({ max: 4, duration: SECOND });
      assert.deepEqual([await ttl(3), await ttl(null)], [900, 0]);
      await user.claim(1);
      assert.deepEqual([await ttl(4), await ttl(null)], [900, 900]);
      await context.advance(900);
      assert.deepEqual([await ttl(4), await ttl(null)], [0, 0]);
      await user.limitClaims(50);
      assert.deepEqual([await ttl(1_000_000), await ttl(null)], [50, 50]);
    },
  },
];
