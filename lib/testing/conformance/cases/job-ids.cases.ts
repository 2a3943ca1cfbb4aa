import assert from 'node:assert/strict';

import type { ContractCase } from '../conformance-case';
import { completed, leaseOf } from '../queue-user';

/**
 * What ids jobs get, and what an id that is taken means.
 *
 * @internal
 */
export const JOB_ID_CASES: readonly ContractCase[] = [
  {
    operation: 'addJobs',
    title: 'JOB-04 changes nothing for an id that is stored already, in whatever state',
    covers: ['event:duplicated'],
    async run(context) {
      const user = context.open();
      await user.addIds('is-completed', 'is-failed', 'is-active');
      const claim = await user.claim(3);
      await user.settle([
        ...completed({ ...claim, jobs: claim.jobs.filter((job) => job.id === 'is-completed') }),
        {
          ...leaseOf(claim, 'is-failed'),
          kind: 'failed',
          reason: 'broken',
          code: null,
          stacktrace: '[]',
          attempts: 1,
          retention: { count: -1, age: null, limit: 1 },
        },
      ]);
      await user.add(
        { id: 'is-waiting' },
        { id: 'is-delayed', delay: 100 },
        { id: 'is-prioritized', priority: 4 },
      );
      const states = ['waiting', 'delayed', 'prioritized', 'active', 'completed', 'failed'];
      const ids = states.map((state) => `is-${state}`);
      const before = await user.handle.getJobs(ids);
      assert.deepEqual(
        before.map((job) => job?.state),
        states,
      );
      const tail = await context.tail(user);

      const results = await user.add(...ids.map((id) => ({ id, name: 'other', data: '1', priority: 9 })));

      assert.deepEqual(
        results,
        ids.map((id) => ({ id, status: 'duplicate' })),
      );
      assert.deepEqual(await user.handle.getJobs(ids), before);
      await tail.expect(ids.map((jobId) => ({ event: 'duplicated', jobId })));
    },
  },
  {
    operation: 'addJobs',
    title: 'takes the first of two jobs of one id in the same call',
    covers: ['event:duplicated'],
    async run(context) {
      const user = context.open();
      const tail = await context.tail(user);

      const results = await user.add({ id: 'a', data: '1' }, { id: 'a', data: '2' }, {});

      assert.deepEqual(
        results.map((result) => result.status),
        ['added', 'duplicate', 'added'],
      );
      assert.equal((await user.job('a'))?.data, '1');
      await tail.expectOf(['duplicated'], [{ event: 'duplicated', jobId: 'a' }]);
    },
  },
  {
    operation: 'addJobs',
    title: 'JOB-04 counts ids on with every job, duplicates too',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const results = await user.add({}, { id: 'a' }, { id: 'a' }, {}, { delay: 10 }, { priority: 1 });

      assert.deepEqual(
        results.map((result) => result.id),
        ['1', 'a', 'a', '4', '5', '6'],
      );
    },
  },
  {
    operation: 'addJobs',
    title: 'passes over counted ids that jobs have already, of the same call too',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: '3', data: '"own"' });

      const results = await user.add({}, { id: '5', data: '"own"' }, {}, {});

      assert.equal(new Set(['3', ...results.map(({ id }) => id)]).size, 5);
      assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(['added']));
      assert.deepEqual([(await user.job('3'))?.data, (await user.job('5'))?.data], ['"own"', '"own"']);
    },
  },
  {
    operation: 'addJobs',
    title: 'passes over counted ids that jobs have already where all ids of a call are counted',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: '3' });

      const ids = async (jobs: number): Promise<string[]> =>
        (await user.add(...Array.from({ length: jobs }, () => ({})))).map(({ id }) => id);

      assert.deepEqual(await ids(3), ['2', '4', '5']);
      assert.deepEqual(await ids(2), ['6', '7']);
      await user.add({ id: 'own' });
      assert.deepEqual(await ids(1), ['9']);
    },
  },
  {
    operation: 'addJobs',
    title: 'never gives an id again, not even of jobs that are gone',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({}, {});
      await user.finishAll({ count: 0, age: null, limit: 1 });

      assert.deepEqual(await user.add({}), [{ id: '3', status: 'added' }]);
    },
  },
  {
    operation: 'addJobs',
    title: 'may use the id of a job that is gone once more',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.finishAll({ count: 0, age: null, limit: 1 });

      assert.deepEqual(await user.add({ id: 'a', data: '2' }), [{ id: 'a', status: 'added' }]);

      const job = await user.job('a');
      assert.deepEqual([job?.data, job?.attemptsMade, job?.attemptsStarted], ['2', 0, 0]);
    },
  },
  {
    operation: 'addJobs',
    title: 'STORE-08 takes any id and name for what it is',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const odd = ['__proto__', 'constructor', 'a:b:c', ' ', "it's", 'ünï🙂', '00', 'x'.repeat(1_000), '%2'];

      await user.add(...odd.map((text) => ({ id: text, name: text })));

      assert.deepEqual(await user.ids('waiting'), odd);
      const claim = await user.claim(odd.length);
      await user.settle(completed(claim));
      const jobs = await user.handle.getJobs(odd);
      assert.deepEqual(
        jobs.map((job) => [job?.name, job?.state]),
        odd.map((text) => [text, 'completed']),
      );
    },
  },
];
