import assert from 'node:assert/strict';

import type { Retention } from '../../../model/policy/retention';
import type { ContractCase } from '../conformance-case';
import { completed, completion, failure, leaseOf, type QueueUser } from '../queue-user';

function keep(bounds: Partial<Retention>): Retention {
  return { count: -1, age: null, limit: 1_000, ...bounds };
}

async function complete(user: QueueUser, id: string, bounds: Partial<Retention>): Promise<void> {
  await user.addIds(id);
  await user.settle(completed(await user.claim(1), { retention: keep(bounds) }));
}

async function fail(user: QueueUser, id: string, bounds: Partial<Retention>): Promise<void> {
  await user.addIds(id);
  await user.settle([failure(leaseOf(await user.claim(1)), { retention: keep(bounds) })]);
}

/**
 * What is kept of finished jobs.
 *
 * @internal
 */
export const RETENTION_CASES: readonly ContractCase[] = [
  {
    operation: 'settleJobs',
    title: 'JOB-24 keeps every finished job unless told otherwise',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      for (const id of ['a', 'b', 'c']) {
        await complete(user, id, {});
      }
      await context.advance(365 * 86_400_000);
      await complete(user, 'd', {});

      assert.deepEqual(await user.ids('completed'), ['a', 'b', 'c', 'd']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'JOB-24 does not record a job of which nothing is kept, but for its events',
    covers: ['event:completed', 'event:failed', 'event:retries-exhausted', 'event:drained'],
    async run(context) {
      const user = context.open();
      await complete(user, 'old', {});
      await fail(user, 'old-failed', {});
      const tail = await context.tail(user);

      await complete(user, 'a', { count: 0 });
      await fail(user, 'b', { count: 0 });

      assert.deepEqual(await user.handle.getJobs(['a', 'b']), [null, null]);
      assert.deepEqual(await user.ids('completed'), ['old']);
      assert.deepEqual(await user.ids('failed'), ['old-failed']);
      await tail.expectOf(
        ['completed', 'failed', 'retries-exhausted', 'drained'],
        [
          { event: 'completed', jobId: 'a', returnvalue: 'null', prev: 'active' },
          { event: 'drained' },
          { event: 'failed', jobId: 'b', failedReason: 'broken', prev: 'active' },
          { event: 'retries-exhausted', jobId: 'b', attemptsMade: '1' },
          { event: 'drained' },
        ],
      );
    },
  },
  {
    operation: 'settleJobs',
    title: 'keeps the newest so many, the one that has just finished among them',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      for (const id of ['a', 'b', 'c', 'd']) {
        await complete(user, id, { count: 2 });
      }
      assert.deepEqual(await user.ids('completed'), ['c', 'd']);
      assert.deepEqual(await user.handle.getJobs(['a', 'b']), [null, null]);

      await complete(user, 'e', { count: 1 });

      assert.deepEqual(await user.ids('completed'), ['e']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'keeps the newest by the order of finishing, also within one call',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd');
      const claim = await user.claim(4);
      await user.settle(
        ['d', 'a', 'c', 'b'].map((id) => completion(leaseOf(claim, id), { retention: keep({ count: 2 }) })),
      );

      assert.deepEqual(await user.ids('completed'), ['c', 'b']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'keeps completed and failed jobs apart',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      for (const id of ['a', 'b']) {
        await complete(user, id, {});
        await fail(user, `${id}-failed`, {});
      }
      await complete(user, 'c', { count: 1 });
      assert.deepEqual(await user.ids('completed'), ['c']);
      assert.deepEqual(await user.ids('failed'), ['a-failed', 'b-failed']);

      await context.advance(1_000);
      await fail(user, 'c-failed', { age: 1_000 });

      assert.deepEqual(await user.ids('completed'), ['c']);
      assert.deepEqual(await user.ids('failed'), ['c-failed']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'removes what is older than the age, to the millisecond',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await complete(user, 'old', {});
      await context.advance(1);
      await complete(user, 'young', {});
      await context.advance(999);

      await complete(user, 'new', { age: 1_000 });

      assert.deepEqual(await user.ids('completed'), ['young', 'new']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'holds both bounds where two are given',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      for (const id of ['a', 'b', 'c']) {
        await complete(user, id, {});
        await context.advance(100);
      }

      await complete(user, 'd', { age: 250, count: 2 });
      assert.deepEqual(await user.ids('completed'), ['c', 'd']);
      await context.advance(200);
      await complete(user, 'e', { age: 250, count: 4 });

      assert.deepEqual(await user.ids('completed'), ['d', 'e']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'removes no more by age with one finish than its limit, the oldest first',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      for (const id of ['a', 'b', 'c', 'd']) {
        await complete(user, id, {});
        await context.advance(1);
      }
      await context.advance(1_000);

      await complete(user, 'e', { age: 1_000, limit: 2 });
      assert.deepEqual(await user.ids('completed'), ['c', 'd', 'e']);
      await complete(user, 'f', { age: 1_000, limit: 2 });

      assert.deepEqual(await user.ids('completed'), ['e', 'f']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'reaches the kept number in steps when many more are there',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      for (const id of ['a', 'b', 'c', 'd', 'e']) {
        await complete(user, id, {});
      }
      const sizes: number[] = [];
      for (const id of ['f', 'g', 'h', 'i', 'j']) {
        await complete(user, id, { count: 2, limit: 2 });
        sizes.push((await user.handle.getCounts()).completed);
      }

      assert.equal(sizes.at(-1), 2);
      assert.ok(
        sizes.every((size, index) => index === 0 || size <= sizes[index - 1]!),
        `kept after each finish: ${sizes.join(', ')}`,
      );
      assert.deepEqual(await user.ids('completed'), ['i', 'j']);
    },
  },
  {
    operation: 'settleJobs',
    title:
      'JOB-26 removes by age, then by number with each finish of a call, and no more than the limit by each',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await complete(user, 'old', {});
      await complete(user, 'old too', {});
      await context.advance(1_000);
      await complete(user, 'young', {});
      await user.addIds('d', 'e');

      await user.finishAll(keep({ count: 1, age: 1_000, limit: 1 }));

      // The first finish removes both old ones, one by each bound; the second finds none, and removes by number.
      assert.deepEqual(await user.ids('completed'), ['d', 'e']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'takes the retention of each outcome for itself',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      const claim = await user.claim(3);
      await user.settle([
        completion(leaseOf(claim, 'a'), { retention: keep({}) }),
        completion(leaseOf(claim, 'b'), { retention: keep({ count: 0 }) }),
        completion(leaseOf(claim, 'c'), { retention: keep({}) }),
      ]);

      assert.deepEqual(await user.ids('completed'), ['a', 'c']);
    },
  },
  {
    operation: 'settleJobs',
    title: 'takes bounds of any size',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await complete(user, 'a', { age: Number.MAX_VALUE });
      await complete(user, 'b', { count: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER });
      await fail(user, 'c', { age: Number.MAX_VALUE });
      assert.deepEqual(await user.ids('completed'), ['a', 'b']);
      assert.deepEqual(await user.ids('failed'), ['c']);

      await complete(user, 'd', { age: Number.MIN_VALUE });

      assert.deepEqual(await user.ids('completed'), []);
    },
  },
];
