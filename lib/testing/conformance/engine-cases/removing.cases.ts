import assert from 'node:assert/strict';

import type { EngineScenario } from './engine-scenario';

/**
 * Jobs that are taken out of a queue other than by running them.
 *
 * @internal
 */
export const removingCases: readonly EngineScenario[] = [
  {
    title: 'MGMT-11 a job is removed, once, and everybody hears of it',
    async run({ queue, events, until }) {
      const emails = queue();
      const heard: unknown[] = [];
      const listener = await events();
      listener.on('removed', ({ jobId, prev }) => heard.push([jobId, prev]));
      const local: string[] = [];
      emails.on('removed', (id) => local.push(id));
      const [a, b, c] = await emails.addBulk(
        ['a', 'b', 'c'].map((jobId) => ({ name: 'send', data: {}, opts: { jobId } })),
      );

      await a!.remove();
      await a!.remove();
      assert.equal(await emails.remove('b'), 1);
      assert.equal(await emails.remove('b'), 0);
      assert.equal(await emails.remove('none'), 0);

      assert.deepEqual(local, ['a', 'b']);
      assert.deepEqual(
        [await a!.getState(), await b!.getState(), await c!.getState()],
        ['unknown', 'unknown', 'waiting'],
      );
      await until('both removals are heard of', () => heard.length === 2);
      assert.deepEqual(heard, [
        ['a', 'wait'],
        ['b', 'wait'],
      ]);
    },
  },
  {
    title: 'MGMT-10 a job that a worker has is not removed, neither by others nor by its handler',
    async run({ queue, worker, until }) {
      const emails = queue();
      const local: string[] = [];
      emails.on('removed', (id) => local.push(id));
      let codeInHandler: unknown;
      let finish: () => void = () => undefined;
      worker(async (active) => {
        codeInHandler = await active.remove().catch((error: { code: unknown }) => error.code);
        await new Promise<void>((resolve) => (finish = resolve));
      });
      const job = await emails.add('send', {});
      await until('the handler was refused', () => codeInHandler !== undefined);

      await assert.rejects(job.remove(), { code: 'LANE_JOB_LEASED', jobId: job.id, queueName: 'email' });
      assert.equal(await emails.remove(job.id), 0);
      assert.deepEqual([codeInHandler, await job.getState(), local], ['LANE_JOB_LEASED', 'active', []]);
      finish();
      await until('it is done', () => job.isCompleted());
      await job.remove();

      assert.deepEqual(local, [job.id]);
    },
  },
  {
    title: 'the progress of a job ends when it is removed',
    async run({ queue, until }) {
      const emails = queue();
      const job = await emails.add('send', {});
      let isOver = false;
      job.progress$.subscribe({ complete: () => (isOver = true) });
      await job.updateProgress(1);
      assert.equal(isOver, false);

      await job.remove();

      await until('the stream completes', () => isOver);
    },
  },
  {
    title: 'MGMT-35 old jobs are cleaned away, and who did it is told which',
    async run({ queue, worker, events, until, advance }) {
      const emails = queue();
      const counts: string[] = [];
      (await events()).on('cleaned', ({ count }) => counts.push(count));
      const local: unknown[] = [];
      emails.on('cleaned', (ids, type) => local.push([ids, type]));
      const jobs = await emails.addBulk(
        ['a', 'b', 'c'].map((jobId) => ({ name: 'send', data: {}, opts: { jobId } })),
      );
      worker(() => undefined);
      await until('all are done', async () => (await emails.getJobCounts()).completed === 3);
      await advance(5_000);
      const young = await emails.add('send', {}, { jobId: 'd' });
      await until('the young one is done', () => young.isCompleted());

      assert.deepEqual(await emails.clean('5s', 2), ['a', 'b']);
      assert.deepEqual(await emails.clean(5_000, 0, 'completed'), ['c']);
      assert.deepEqual(await emails.clean(5_000, 0), []);
      assert.deepEqual(await emails.clean(0, 0, 'failed'), []);

      assert.deepEqual(local, [
        [['a', 'b'], 'completed'],
        [['c'], 'completed'],
        [[], 'completed'],
        [[], 'failed'],
      ]);
      assert.equal(await jobs[2]!.getState(), 'unknown');
      assert.equal(await young.getState(), 'completed');
      await until('both are heard of', () => counts.length === 2);
      assert.deepEqual(counts, ['2', '1']);
    },
  },
  {
    title: 'many are cleaned and drained step by step, and events come about meanwhile',
    async run({ queue }) {
      const emails = queue();
      const many = Array.from({ length: 700 }, (_, index) => ({
        name: 'send',
        data: {},
        opts: index < 650 ? {} : { priority: 1 },
      }));
      await emails.addBulk(many);
      const ids = await emails.clean(0, 620, 'wait');
      assert.deepEqual([ids.length, ids[0], ids.at(-1)], [620, '1', '620']);
      assert.equal(new Set(ids).size, 620);
      assert.equal(await emails.count(), 80);
      await emails.addBulk(many);
      let turns = 0;
      let isOver = false;
      const takeTurns = (): void => {
        turns += 1;
        if (!isOver) {
          setImmediate(takeTurns);
        }
      };
      setImmediate(takeTurns);
      await emails.drain();
      isOver = true;

      assert.equal(await emails.count(), 0);
      assert.ok(turns > 2, `others had ${turns} turns`);
    },
  },
  {
    title: 'MGMT-33 a queue is drained of what waits, and of what is delayed when that is wanted',
    async run({ queue }) {
      const emails = queue();
      await emails.addBulk([
        { name: 'send', data: {} },
        { name: 'send', data: {}, opts: { priority: 5 } },
        { name: 'send', data: {}, opts: { delay: '1h' } },
      ]);

      await emails.drain();
      assert.deepEqual(await emails.getJobCountByTypes('waiting', 'prioritized'), 0);
      assert.equal((await emails.getJobCounts()).delayed, 1);
      await emails.drain(true);

      assert.equal((await emails.getJobCounts()).delayed, 0);
    },
  },
  {
    title: 'MGMT-37 a queue with active jobs is destroyed only by force, and is paused by the attempt',
    async run({ queue, worker, until }) {
      const emails = queue();
      let finish: () => void = () => undefined;
      let runs = 0;
      const errors: unknown[] = [];
      const mailer = worker(async () => {
        runs += 1;
        await new Promise<void>((resolve) => (finish = resolve));
      });
      mailer.on('error', (error) => errors.push((error as { code?: unknown }).code));
      await emails.addBulk([
        { name: 'send', data: {} },
        { name: 'send', data: {} },
      ]);
      await until('one is active', () => runs === 1);

      await assert.rejects(emails.obliterate(), { code: 'LANE_QUEUE_ACTIVE', queueName: 'email' });
      assert.equal(await emails.isPaused(), true);
      assert.deepEqual(await emails.getJobCountByTypes(), 2);
      await emails.obliterate({ force: true, count: 1 });

      assert.equal(await emails.isPaused(), false);
      assert.deepEqual(await emails.getJobCountByTypes(), 0);
      finish();
      await until('its worker was told', () => errors.includes('LANE_JOB_NOT_FOUND'));
      const again = await emails.add('send', {});
      assert.equal(again.id, '1');
      await until('the new one is active', () => runs === 2);
      finish();
      await until('it is done', () => again.isCompleted());
    },
  },
  {
    title: 'MGMT-39 nothing is orphaned where nobody left anything behind',
    async run({ queue }) {
      const emails = queue();
      await emails.addBulk([
        { name: 'send', data: {} },
        { name: 'send', data: {}, opts: { priority: 1 } },
        { name: 'send', data: {}, opts: { delay: 100 } },
      ]);

      assert.equal(await emails.removeOrphanedJobs(), 0);
      assert.equal(await emails.removeOrphanedJobs(1, 1), 0);

      assert.equal(await emails.count(), 3);
    },
  },
  {
    title: 'MGMT-32 the event log is trimmed',
    async run({ queue }) {
      const emails = queue();
      await emails.addBulk(Array.from({ length: 10 }, () => ({ name: 'send', data: {} })));

      assert.equal(await emails.trimEvents(5), 15);
      assert.equal(await emails.trimEvents(5), 0);
      assert.equal(await emails.trimEvents(0), 5);
    },
  },
  {
    title: 'T-B56 pages that are read while jobs disappear have no gaps',
    async run({ queue, worker, until }) {
      const emails = queue();
      worker(() => undefined, { removeOnComplete: { count: 10 }, concurrency: 20 });
      const adding = (async () => {
        for (let batch = 0; batch < 20; batch += 1) {
          await emails.addBulk(Array.from({ length: 100 }, () => ({ name: 'send', data: batch })));
        }
      })();
      let isAdded = false;
      void adding.then(() => (isAdded = true));
      do {
        const pages = await Promise.all([
          emails.getJobs(['completed', 'waiting', 'active'], 0, 49),
          emails.getJobs('waiting', 5, 300, true),
          emails.getCompleted(0, 9),
        ]);
        for (const job of pages.flat()) {
          assert.equal(job.name, 'send');
        }
      } while (!isAdded);
      await adding;
      await until('all are done', async () => (await emails.count()) === 0);

      assert.equal((await emails.getCompleted()).length, 10);
    },
  },
  {
    title: 'bounds that are none are refused, and nothing is changed',
    async run({ queue }) {
      const emails = queue();
      const job = await emails.add('send', {});
      const refused: [() => Promise<unknown>, string][] = [
        [() => emails.clean(-1, 0, 'wait'), 'LANE_BAD_DURATION'],
        [() => emails.clean('soon' as '5s', 0, 'wait'), 'LANE_BAD_DURATION'],
        [() => emails.clean(0, -1, 'wait'), 'LANE_BAD_LIMIT'],
        [() => emails.clean(0, 1.5, 'wait'), 'LANE_BAD_LIMIT'],
        [() => emails.clean(0, undefined as unknown as number, 'wait'), 'LANE_BAD_LIMIT'],
        [() => emails.clean(0, 0, 'queued' as 'wait'), 'LANE_UNKNOWN_STATE'],
        [() => emails.drain('yes' as unknown as boolean), 'LANE_BAD_FLAG'],
        [() => emails.obliterate({ force: 1 as unknown as boolean }), 'LANE_BAD_FLAG'],
        [() => emails.obliterate({ count: 0 }), 'LANE_BAD_LIMIT'],
        [() => emails.obliterate({ forse: true } as object), 'LANE_UNKNOWN_OPTION'],
        [() => emails.obliterate(null as unknown as object), 'LANE_BAD_OPTIONS'],
        [() => emails.removeOrphanedJobs(0), 'LANE_BAD_LIMIT'],
        [() => emails.removeOrphanedJobs(1, -1), 'LANE_BAD_LIMIT'],
        [() => emails.trimEvents(-1), 'LANE_BAD_LIMIT'],
        [() => emails.remove(job.id, { children: true } as object), 'LANE_UNKNOWN_OPTION'],
        [() => job.remove({ removeChildren: 0 as unknown as boolean }), 'LANE_BAD_FLAG'],
      ];

      for (const [act, code] of refused) {
        await assert.rejects(act(), { code });
      }

      assert.equal(await job.getState(), 'waiting');
      assert.equal(await emails.isPaused(), false);
    },
  },
];
