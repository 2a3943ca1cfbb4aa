import assert from 'node:assert/strict';

import type { EventGap, QueueEvent } from '../../../model/queue-event';
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
      const seen: (QueueEvent | EventGap)[] = [];
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
  {
    title:
      'QueueEvents tells events of an application, under their names and with the id of a job, by whatever name',
    async run({ queue, eventsProducer, events, until }) {
      const emails = queue();
      const listener = await events();
      const seen: unknown[] = [];
      type Own = Record<'bounced' | 'bounced:7' | '__proto__', (payload: object, id: string) => void>;
      listener.on<Own>('bounced', (payload, id) =>
        seen.push(['bounced', Object.entries(payload), typeof id]),
      );
      listener.on<Own>('bounced:7', () => seen.push(['bounced:7']));
      listener.on<Own>('__proto__', (payload) => seen.push(['__proto__', Object.entries(payload)]));
      const all: unknown[] = [];
      emails.events$.subscribe((event) => event.type === 'custom' && all.push([event.name, event.payload]));
      await emails.waitUntilReady();

      const producer = eventsProducer();
      await producer.publishEvent({ eventName: 'bounced', jobId: '7', times: 2, hard: true, by: undefined });
      const odd = JSON.parse('{ "eventName": "__proto__", "__proto__": "own", "constructor": "own" }') as {
        eventName: string;
      };
      await producer.publishEvent(odd);
      await until('all is heard', () => seen.length === 3 && all.length === 2);

      const bounce = { jobId: '7', times: '2', hard: 'true' };
      assert.deepEqual(seen, [
        ['bounced', Object.entries(bounce), 'string'],
        ['bounced:7'],
        [
          '__proto__',
          [
            ['__proto__', 'own'],
            ['constructor', 'own'],
          ],
        ],
      ]);
      assert.deepEqual(all[0], ['bounced', bounce]);
      assert.equal(({} as { own?: unknown }).own, undefined);
    },
  },
  {
    title: 'events of an application that would pass for others are refused, and nothing is written',
    async run({ backend, eventsProducer }) {
      const log = backend.openQueue({ queueName: 'email', role: 'events' });
      const producer = eventsProducer();
      const bad: [event: unknown, maxEvents?: unknown][] = [
        ...['completed', 'failed:7', 'removed', 'error', 'gap', 'newListener', '', undefined, 5, null].map(
          (eventName): [unknown] => [{ eventName }],
        ),
        [{ eventName: 'bounced', event: 'completed' }],
        [{ eventName: 'bounced', to: ['a'] }],
        [{ eventName: 'bounced', to: null }],
        [
          {
            eventName: 'bounced',
            ...Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`f${n}`, n])),
          },
        ],
        ...[0, -1, 1.5, '5', Infinity].map((maxEvents): [unknown, unknown] => [
          { eventName: 'bounced' },
          maxEvents,
        ]),
        [undefined],
        ['bounced'],
        [[]],
      ];
      for (const [event, maxEvents] of bad) {
        await assert.rejects(producer.publishEvent(event as { eventName: string }, maxEvents as number), {
          code: 'LANE_BAD_EVENT',
        });
      }
      assert.equal(await log.lastEventId(), '0-0');
      await producer.close();
      await assert.rejects(producer.publishEvent({ eventName: 'bounced' }), { code: 'LANE_CLOSED' });
      await log.close();
    },
  },
  {
    title: 'QueueEvents goes on after an id, from the first event for 0-0, and with what is new for $',
    async run({ queue, events, until }) {
      const emails = queue();
      await emails.addBulk(['a', 'b', 'c'].map((jobId) => ({ name: 'send', data: {}, opts: { jobId } })));
      const heard = async (lastEventId: string): Promise<[jobId: string, id: string][]> => {
        const listener = await events({ lastEventId, autorun: false });
        const added: [string, string][] = [];
        listener.on('added', ({ jobId }, id) => added.push([jobId, id]));
        const run = listener.run();
        await assert.rejects(listener.run(), { code: 'LANE_ALREADY_RUNNING' });
        await listener.waitUntilReady();
        const marker = `after-${added.length}-${lastEventId}`;
        await emails.add('send', {}, { jobId: marker });
        await until('the marker is heard', () => added.at(-1)?.[0] === marker);
        await Promise.all([listener.close(), listener.close()]);
        await run;
        await assert.rejects(listener.run(), { code: 'LANE_CLOSED' });
        return added.slice(0, -1);
      };

      const all = await heard('0-0');
      assert.deepEqual(
        all.map(([jobId]) => jobId),
        ['a', 'b', 'c'],
      );
      const later = await heard(all[1]![1]);
      assert.equal(later[0]![0], 'c');
      assert.deepEqual(await heard('$'), []);
    },
  },
  {
    title: 'a gap is told where the log was cut before it was read',
    async run({ queue, events, eventsProducer, until }) {
      const emails = queue();
      await emails.add('send', {}, { jobId: 'first' });
      const listener = await events({ lastEventId: '0-0', autorun: false });
      const first = new Promise<string>((resolve) => listener.once('added', (_, id) => resolve(id)));
      const stop = listener.run();
      const from = await first;
      await listener.close();
      await stop;
      await emails.addBulk(Array.from({ length: 300 }, () => ({ name: 'send', data: {} })));
      await eventsProducer().publishEvent({ eventName: 'cut' }, 1);

      const late = await events({ lastEventId: from, autorun: false });
      const told: unknown[] = [];
      late.on('gap', (gap) => told.push(gap));
      late.on('added', (_, id) => told.push(id));
      late.on('waiting', (_, id) => told.push(id));
      late.on<{ cut: (payload: object, id: string) => void }>('cut', (_, id) => told.push(id));
      void late.run();
      await until('the rest is heard', () => told.length > 1);

      assert.deepEqual(told[0], { type: 'gap', from, to: told[1] });
      assert.equal(told.filter((each) => typeof each === 'object').length, 1);
    },
  },
  {
    title: 'T-B54 listeners of a queue that throw or reject stop neither the others nor the listener',
    async run({ queue, events, until }) {
      const emails = queue();
      const listener = await events();
      const reported: string[] = [];
      let heard = 0;
      listener.on('error', (error) => reported.push(error.message));
      listener.on('added', () => {
        throw new Error('sync');
      });
      listener.on('added', () => Promise.reject(new Error('async')));
      listener.on('added', () => (heard += 1));
      await emails.addBulk(Array.from({ length: 20 }, () => ({ name: 'send', data: {} })));
      await until('all is heard and reported', () => heard === 20 && reported.length === 40);

      assert.deepEqual([...new Set(reported)].sort(), ['async', 'sync']);
    },
  },
];
