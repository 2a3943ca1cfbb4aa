import assert from 'node:assert/strict';

import type { QueueEvent } from '../../../model/queue-event';
import type { EngineScenario } from './engine-scenario';

/**
 * Events, as streams and as listeners.
 *
 * @internal
 */
export const listeningCases: readonly EngineScenario[] = [
  {
    title: 'T-B52 every run has one active and one completed event, in order, here and everywhere',
    async run({ queue, worker, events, until }) {
      const emails = queue();
      const listener = await events();
      const everywhere = new Map<string, string[]>();
      const here = new Map<string, string[]>();
      const note = (map: Map<string, string[]>, id: string, event: string): void =>
        void map.set(id, [...(map.get(id) ?? []), event]);
      listener.on('active', ({ jobId }) => note(everywhere, jobId, 'active'));
      listener.on('completed', ({ jobId }) => note(everywhere, jobId, 'completed'));
      const one = worker(() => undefined);
      one.on('active', (job) => note(here, job.id, 'active'));
      one.on('completed', (job) => note(here, job.id, 'completed'));

      const jobs = await emails.addBulk(Array.from({ length: 20 }, () => ({ name: 'send', data: {} })));
      const isWhole = (map: Map<string, string[]>): boolean => [...map.values()].flat().length >= 40;
      await until('all events came', () => isWhole(everywhere) && isWhole(here));

      for (const map of [everywhere, here]) {
        assert.deepEqual(
          [...map.keys()],
          jobs.map((job) => job.id),
        );
        for (const seen of map.values()) {
          assert.deepEqual(seen, ['active', 'completed']);
        }
      }
    },
  },
  {
    title: 'QueueEvents tells each event under its name, and with the id of its job',
    async run({ queue, worker, events, until }) {
      const emails = queue();
      const listener = await events();
      const seen: unknown[] = [];
      listener.on('completed', (payload, id) => seen.push(['completed', payload, typeof id]));
      listener.on('completed:welcome', (payload) => seen.push(['completed:welcome', payload.jobId]));
      listener.on('drained', (id) => seen.push(['drained', typeof id]));

      await emails.add('send', {}, { jobId: 'welcome' });
      worker(() => ({ sent: [1] }));
      await until('the queue is drained', () => seen.length === 3);

      assert.deepEqual(seen, [
        ['completed', { jobId: 'welcome', returnvalue: { sent: [1] }, prev: 'active' }, 'string'],
        ['completed:welcome', 'welcome'],
        ['drained', 'string'],
      ]);
    },
  },
  {
    title: 'the stream of a queue begins with its subscription and ends with its close',
    async run({ queue, worker, until }) {
      const emails = queue();
      await emails.add('before', {});
      const seen: QueueEvent[] = [];
      let isComplete = false;
      emails.events$.subscribe({ next: (event) => seen.push(event), complete: () => (isComplete = true) });

      const { id } = await emails.add('after', {}, { jobId: 'after' });
      worker(() => 7);
      await until('the job is completed', () =>
        seen.some((event) => event.type === 'completed' && event.jobId === id),
      );

      const ofJob = seen.filter((event) => 'jobId' in event && event.jobId === id);
      assert.deepEqual(
        ofJob.map((event) => event.type),
        ['added', 'waiting', 'active', 'completed'],
      );
      assert.ok(!seen.some((event) => event.type === 'added' && event.name === 'before'));
      await emails.close();
      assert.equal(isComplete, true);
    },
  },
  {
    title: 'the progress of a job begins with the last known one and ends with the job',
    async run({ queue, worker, until }) {
      const emails = queue();
      let step: (value: unknown) => Promise<void> = () => Promise.resolve();
      let end: () => void = () => undefined;
      let runs = 0;
      worker((job) => {
        runs += 1;
        step = (value) => job.updateProgress(value);
        return new Promise<void>((resolve) => (end = resolve));
      });
      const job = await emails.add('send', {});
      await until('it runs', () => runs === 1);
      await step(1);
      const seen: unknown[] = [];
      let isComplete = false;

      job.progress$.subscribe({ next: (value) => seen.push(value), complete: () => (isComplete = true) });
      await until('the known progress came', () => seen.length === 1);
      await step({ page: 2 });
      await step(false);
      end();
      await until('the progress ended', () => isComplete);

      assert.deepEqual(seen, [1, { page: 2 }, false]);
    },
  },
  {
    title: 'the progress of a job that has ended, or is not there, ends at once',
    async run({ queue, worker, until }) {
      const emails = queue();
      const kept = await emails.add('send', {});
      const removed = await emails.add('send', {}, { removeOnComplete: true });
      worker((job) => job.updateProgress(100));
      await until(
        'both are done',
        async () => (await removed.getState()) === 'unknown' && (await kept.isCompleted()),
      );

      for (const [job, expected] of [
        [kept, [100]],
        [removed, []],
      ] as const) {
        const seen: unknown[] = [];
        await new Promise<void>((resolve) =>
          job.progress$.subscribe({ next: (value) => seen.push(value), complete: resolve }),
        );
        assert.deepEqual(seen, expected);
      }
    },
  },
  {
    title: 'progress of a job that is not there is refused',
    async run({ queue, worker, until }) {
      const emails = queue();
      const job = await emails.add('send', {}, { removeOnComplete: true });
      worker(() => undefined);
      await until('it is gone', async () => (await job.getState()) === 'unknown');

      await assert.rejects(job.updateProgress(1), { code: 'LANE_JOB_NOT_FOUND' });
      await assert.rejects(job.updateProgress(10n), { code: 'LANE_UNSERIALIZABLE' });
    },
  },
  {
    title: 'T-B54 listeners that throw or reject change no outcome, and are reported',
    async run({ queue, worker, until }) {
      const emails = queue();
      const reported: string[] = [];
      const one = worker(() => undefined, { concurrency: 10 });
      one.on('error', (error) => reported.push(error.message));
      one.on('completed', () => {
        throw new Error('sync');
      });
      one.on('completed', () => Promise.reject(new Error('async')));

      await emails.addBulk(Array.from({ length: 50 }, () => ({ name: 'send', data: {} })));
      await until('all are completed', async () => (await emails.getJobCounts()).completed === 50);
      await until('all is reported', () => reported.length === 100);

      assert.deepEqual([...new Set(reported)].sort(), ['async', 'sync']);
    },
  },
];
