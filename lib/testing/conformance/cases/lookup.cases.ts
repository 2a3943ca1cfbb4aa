import assert from 'node:assert/strict';

import { JOB_STATES, type JobState } from '../../../model/job-state';
import type { ContractCase } from '../conformance-case';
import {
  completed,
  completion,
  failure,
  handBack,
  leaseOf,
  REACHED_STATES,
  type QueueUser,
} from '../queue-user';

/** Leaves a job in each state that callers can bring about, called after it. */
async function addOneOfEach(user: QueueUser): Promise<void> {
  await user.addIds('is-completed', 'is-failed', 'is-active');
  const claim = await user.claim(3);
  await user.settle([completion(leaseOf(claim, 'is-completed')), failure(leaseOf(claim, 'is-failed'))]);
  await user.add(
    { id: 'is-waiting' },
    { id: 'is-prioritized', priority: 1 },
    { id: 'is-delayed', delay: 100 },
  );
}

/** The jobs that `addOneOfEach` leaves, in the order of the states. */
const ONE_OF_EACH = REACHED_STATES.map((state) => `is-${state}`);

async function page(
  user: QueueUser,
  state: JobState,
  order: 'ascending' | 'descending',
  offset = 0,
  limit: number | null = null,
): Promise<string[]> {
  return (await user.handle.getPage({ state, offset, limit, order })).map((job) => job.id);
}

/** @internal */
export const LOOKUP_CASES: readonly ContractCase[] = [
  {
    operation: 'getJobs',
    title: 'brings jobs in the order asked for, and null where there is none',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a', data: '1' }, { id: 'b', data: '2' });

      const jobs = await user.handle.getJobs(['b', 'none', 'a', 'b']);

      assert.deepEqual(
        jobs.map((job) => job?.data ?? null),
        ['2', null, '1', '2'],
      );
      assert.deepEqual(await user.handle.getJobs([]), []);
    },
  },
  {
    operation: 'getJobs',
    title: 'brings copies, which the caller may change',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const before = await user.job('a');
      for (const job of [
        (await user.job('a'))!,
        (await user.handle.getPage({ state: 'waiting', offset: 0, limit: 1, order: 'ascending' }))[0]!,
      ]) {
        Object.assign(job, { name: 'other', state: 'failed', priority: 9 });
      }
      assert.deepEqual(await user.job('a'), before);
      const claim = await user.claim(1);
      const [job] = claim.jobs;
      Object.assign(job!, { id: 'other', attemptsMade: 9 });
      await user.settle([handBack({ id: 'a', token: claim.token })]);

      assert.equal((await user.job('a'))?.attemptsMade, 0);
    },
  },
  {
    operation: 'getStates',
    title: 'MGMT-01 tells every state, and null where there is no job',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await addOneOfEach(user);

      assert.deepEqual(await user.handle.getStates(['none', ...ONE_OF_EACH]), [null, ...REACHED_STATES]);
      assert.deepEqual(await user.handle.getStates([]), []);
    },
  },
  {
    operation: 'getStates',
    title: 'JOB-02 calls jobs of a paused queue what they are without the pause',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await addOneOfEach(user);
      await user.pause();

      assert.deepEqual(await user.handle.getStates(ONE_OF_EACH), REACHED_STATES);
    },
  },
  {
    operation: 'getCounts',
    title: 'MGMT-03 counts the jobs of every state in one call',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const none = Object.fromEntries(JOB_STATES.map((state) => [state, 0]));
      assert.deepEqual(await user.handle.getCounts(), none);
      await addOneOfEach(user);
      await user.add({}, {}, { priority: 3 });

      assert.deepEqual(await user.handle.getCounts(), {
        waiting: 3,
        prioritized: 2,
        delayed: 1,
        active: 1,
        completed: 1,
        failed: 1,
        'waiting-children': 0,
      });
    },
  },
  {
    operation: 'getCounts',
    title: 'counts up to the jobs that were added, whatever becomes of them',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const sum = async (): Promise<number> => {
        const counts = await user.handle.getCounts();
        return Object.values(counts).reduce((total, count) => total + count, 0);
      };
      await addOneOfEach(user);
      assert.equal(await sum(), 6);
      await context.advance(100);
      const claim = await user.claim(9);
      assert.equal(await sum(), 6);
      await user.settle([
        handBack(leaseOf(claim, 'is-waiting')),
        completion(leaseOf(claim, 'is-delayed')),
        completion(leaseOf(claim, 'is-prioritized'), { retention: { count: 0, age: null, limit: 1 } }),
      ]);

      assert.equal(await sum(), 5);
    },
  },
  {
    operation: 'getPage',
    title: 'brings waiting and prioritized jobs in running order',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b' }, { id: 'lifo', lifo: true });
      await user.add({ id: 'p2', priority: 2 }, { id: 'p1', priority: 1 }, { id: 'p2-later', priority: 2 });

      assert.deepEqual(await page(user, 'waiting', 'ascending'), ['lifo', 'a', 'b']);
      assert.deepEqual(await page(user, 'waiting', 'descending'), ['b', 'a', 'lifo']);
      assert.deepEqual(await page(user, 'prioritized', 'ascending'), ['p1', 'p2', 'p2-later']);
      assert.deepEqual(await page(user, 'prioritized', 'descending'), ['p2-later', 'p2', 'p1']);
    },
  },
  {
    operation: 'getPage',
    title: 'brings delayed jobs in the order of their due times',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'late', delay: 300 }, { id: 'soon', delay: 100 }, { id: 'soon-too', delay: 100 });
      await context.advance(50);
      await user.add({ id: 'first', delay: 49 });

      assert.deepEqual(await page(user, 'delayed', 'ascending'), ['first', 'soon', 'soon-too', 'late']);
      assert.deepEqual(await page(user, 'delayed', 'descending'), ['late', 'soon-too', 'soon', 'first']);
    },
  },
  {
    operation: 'getPage',
    title: 'brings active jobs in the order of their claim',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      await user.claim(1, { leaseDuration: 90_000 });
      await user.claim(1, { leaseDuration: 10_000 });
      await context.advance(1);
      await user.claim(1, { leaseDuration: 20_000 });

      assert.deepEqual(await page(user, 'active', 'ascending'), ['a', 'b', 'c']);
      assert.deepEqual(await page(user, 'active', 'descending'), ['c', 'b', 'a']);
      assert.deepEqual(await page(user, 'active', 'ascending', 1, 1), ['b']);
      assert.deepEqual(await page(user, 'active', 'descending', 2, 5), ['a']);
    },
  },
  {
    operation: 'getPage',
    title: 'brings finished jobs in the order in which they finished',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd', 'e', 'f');
      const claim = await user.claim(6);
      await user.settle([completion(leaseOf(claim, 'b')), failure(leaseOf(claim, 'f'))]);
      await user.settle([completion(leaseOf(claim, 'a')), failure(leaseOf(claim, 'e'))]);
      await context.advance(5);
      await user.settle([completion(leaseOf(claim, 'd')), failure(leaseOf(claim, 'c'))]);

      assert.deepEqual(await page(user, 'completed', 'ascending'), ['b', 'a', 'd']);
      assert.deepEqual(await page(user, 'completed', 'descending'), ['d', 'a', 'b']);
      assert.deepEqual(await page(user, 'failed', 'ascending'), ['f', 'e', 'c']);
      assert.deepEqual(await page(user, 'failed', 'descending'), ['c', 'e', 'f']);
    },
  },
  {
    operation: 'getPage',
    title: 'brings any part of a state',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const ids = Array.from({ length: 1_000 }, (_, index) => `job-${index}`);
      for (let from = 0; from < ids.length; from += 200) {
        await user.addIds(...ids.slice(from, from + 200));
      }
      const backwards = ids.toReversed();

      for (const [offset, limit] of [
        [0, 1],
        [0, 300],
        [150, 200],
        [999, 10],
        [500, null],
      ] as const) {
        const end = limit === null ? undefined : offset + limit;
        assert.deepEqual(await page(user, 'waiting', 'ascending', offset, limit), ids.slice(offset, end));
        const expected = backwards.slice(offset, end);
        assert.deepEqual(await page(user, 'waiting', 'descending', offset, limit), expected);
      }
      assert.deepEqual(await page(user, 'waiting', 'ascending', 1_000, 10), []);
      assert.deepEqual(await page(user, 'waiting', 'descending', 5_000, null), []);
      assert.deepEqual(await page(user, 'failed', 'ascending', 0, 10), []);
    },
  },
  {
    operation: 'getPage',
    title: 'brings nothing of a state that no job is in',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      for (const state of JOB_STATES) {
        assert.deepEqual(await page(user, state, 'ascending'), []);
      }
      await addOneOfEach(user);

      assert.deepEqual(await page(user, 'waiting-children', 'descending'), []);
    },
  },
  {
    operation: 'getPage',
    title: 'T-B56 MGMT-07 has no gaps where jobs are gone',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const ids = Array.from({ length: 600 }, (_, index) => `job-${index}`);
      for (let from = 0; from < ids.length; from += 200) {
        await user.addIds(...ids.slice(from, from + 200));
        await user.finishAll();
      }
      const isLeft = (index: number): boolean => index >= ids.length - 10;
      await user.addIds('last');
      await user.finishAll({ count: 11, age: null, limit: 1_000 });

      const left = ids.filter((_, index) => isLeft(index));
      const pages: (string | undefined)[] = [];
      for (let offset = 0; offset < 12; offset += 4) {
        const jobs = await user.handle.getPage({ state: 'completed', offset, limit: 4, order: 'ascending' });
        assert.ok(jobs.every((job) => typeof job.id === 'string'));
        pages.push(...jobs.map((job) => job.id));
      }
      assert.deepEqual(pages, [...left, 'last']);
    },
  },
  {
    operation: 'getPage',
    title: 'brings whole records',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await addOneOfEach(user);
      for (const state of REACHED_STATES) {
        const jobs = await user.handle.getPage({ state, offset: 0, limit: null, order: 'ascending' });
        assert.deepEqual(jobs, await user.handle.getJobs([`is-${state}`]));
      }
    },
  },
  {
    operation: 'getPage',
    title: 'has no effect on the jobs, their order or the events',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await addOneOfEach(user);
      const before = await user.snapshot();
      await context.advance(100);
      await user.handle.getJobs(ONE_OF_EACH);
      await user.handle.getStates(ONE_OF_EACH);
      await user.handle.getCounts();

      assert.deepEqual(await user.snapshot(), before);
      assert.equal(await user.state('is-delayed'), 'delayed');
      await user.settle(completed(await user.claim(1)));
    },
  },
];
