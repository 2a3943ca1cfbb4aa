import assert from 'node:assert/strict';

import type { EngineScenario } from './engine-scenario';

/**
 * Adding through `Queue`.
 *
 * @internal
 */
export const addingCases: readonly EngineScenario[] = [
  {
    title: 'add resolves with the stored job',
    async run({ queue, clock }) {
      const emails = queue();

      const job = await emails.add('send', { to: 'a@example.com' }, { attempts: 3, priority: 2 });

      assert.equal(job.id, '1');
      assert.deepEqual(
        { name: job.name, data: job.data as unknown, opts: job.opts, timestamp: job.timestamp },
        {
          name: 'send',
          data: { to: 'a@example.com' },
          opts: { attempts: 3, priority: 2 },
          timestamp: clock.now(),
        },
      );
      assert.equal(await job.getState(), 'prioritized');
      assert.deepEqual((await emails.getJob('1'))?.toJSON(), job.toJSON());
    },
  },
  {
    title: 'T-B57 data of every JSON kind comes back as it was',
    async run({ queue }) {
      const emails = queue();
      const values = [
        0,
        -0.5,
        false,
        '',
        null,
        [],
        {},
        [null, { a: [] }],
        'ünï "quoted"\u2028\ud83d\ude80',
        { __proto__: null },
      ];

      const jobs = await emails.addBulk(values.map((data) => ({ name: 'send', data })));

      const stored = await Promise.all(jobs.map((job) => emails.getJob(job.id)));
      assert.equal(JSON.stringify(stored.map((job) => job?.data as unknown)), JSON.stringify(values));
    },
  },
  {
    title: 'T-B57 data that cannot be written as JSON is refused and nothing is stored',
    async run({ queue }) {
      const emails = queue();
      const circular: { self?: unknown } = {};
      circular.self = circular;

      for (const data of [circular, { big: 10n }, () => undefined, Symbol('x')]) {
        await assert.rejects(emails.add('send', data), { code: 'LANE_UNSERIALIZABLE' });
      }

      assert.equal(await emails.count(), 0);
    },
  },
  {
    title: 'data that is left out becomes an empty object',
    async run({ queue }) {
      const emails = queue();

      const { id } = await emails.add('send', undefined);

      assert.deepEqual((await emails.getJob(id))?.data, {});
    },
  },
  {
    title: 'jobs that are added in one turn keep their order, beyond one call',
    async run({ queue }) {
      const emails = queue();

      const jobs = await Promise.all(
        Array.from({ length: 450 }, (_, index) => emails.add('send', { index })),
      );

      assert.deepEqual(
        jobs.map((job) => job.id),
        Array.from({ length: 450 }, (_, index) => String(index + 1)),
      );
      const waiting = await emails.getWaiting();
      assert.deepEqual(
        waiting.map((job) => (job.data as { index: number }).index),
        Array.from({ length: 450 }, (_, index) => index),
      );
    },
  },
  {
    title: 'an id that is stored already gives the stored job, and changes nothing',
    async run({ queue }) {
      const emails = queue();
      await emails.add('send', { version: 1 }, { jobId: 'welcome-7', attempts: 2 });

      const [again, other] = await Promise.all([
        emails.add('other', { version: 2 }, { jobId: 'welcome-7' }),
        emails.add('send', { version: 3 }, { jobId: 'welcome-8' }),
      ]);

      assert.deepEqual(
        [again.id, again.name, again.data, again.opts.attempts],
        ['welcome-7', 'send', { version: 1 }, 2],
      );
      assert.equal(other.id, 'welcome-8');
      assert.equal(await emails.count(), 2);
    },
  },
  {
    title: 'an id is stored once although it is added twice in one addBulk',
    async run({ queue }) {
      const emails = queue();

      const jobs = await emails.addBulk([
        { name: 'send', data: 1, opts: { jobId: 'once' } },
        { name: 'send', data: 2, opts: { jobId: 'once' } },
      ]);

      assert.deepEqual(
        jobs.map((job) => [job.id, job.data as unknown]),
        [
          ['once', 1],
          ['once', 1],
        ],
      );
      assert.equal(await emails.count(), 1);
    },
  },
  {
    title:
      'JOB-05 MGMT-40 bad entries of addBulk keep all of them from being stored, and are told all at once',
    async run({ queue }) {
      const emails = queue();
      const jobs = Array.from({ length: 9 }, (_, index) => ({
        name: 'send',
        data: {},
        opts: { delay: index % 3 === 1 ? -1 : 0 },
      }));

      for (const atomic of [false, true]) {
        await assert.rejects(
          emails.addBulk([...jobs, { name: '', data: {} }], { atomic }),
          (error: Error) => {
            const { code, errors } = error as unknown as {
              code: string;
              errors: { index: number; error: Error }[];
            };
            assert.equal(code, 'LANE_BAD_JOBS');
            assert.deepEqual(
              errors.map((each) => [each.index, (each.error as unknown as { code: string }).code]),
              [
                [1, 'LANE_BAD_DELAY'],
                [4, 'LANE_BAD_DELAY'],
                [7, 'LANE_BAD_DELAY'],
                [9, 'LANE_BAD_JOB_NAME'],
              ],
            );
            return true;
          },
        );
      }

      assert.equal(await emails.count(), 0);
      assert.equal((await emails.add('send', {})).id, '1');
    },
  },
  {
    title: 'JOB-05 addBulk adds a thousand jobs in one step, in order, behind what was added before',
    async run({ queue }) {
      const emails = queue();
      const before = emails.add('first', {});
      const jobs = Array.from({ length: 1_000 }, (_, index) => ({ name: 'send', data: index }));

      const added = await emails.addBulk([{ ...jobs[0]!, opts: { jobId: 'mine' } }, ...jobs.slice(1)], {
        atomic: true,
      });

      await before;
      assert.deepEqual(
        added.map((job) => job.data as unknown),
        jobs.map(({ data }) => data),
      );
      const waiting = await emails.getWaiting();
      assert.deepEqual(
        waiting.map((job) => job.id),
        ['1', ...added.map((job) => job.id)],
      );
      const again = await emails.addBulk([{ name: 'send', data: 'new', opts: { jobId: 'mine' } }], {
        atomic: true,
      });
      assert.deepEqual(
        again.map((job) => [job.id, job.data as unknown]),
        [['mine', 0]],
      );
      await assert.rejects(emails.addBulk([...jobs, jobs[0]!], { atomic: true }), {
        code: 'LANE_TOO_MANY_JOBS',
        count: 1_001,
        most: 1_000,
      });
      assert.equal(await emails.count(), 1_001);
      assert.deepEqual(await emails.addBulk([], { atomic: true }), []);
      assert.deepEqual(await emails.addBulk([]), []);
    },
  },
  {
    title:
      'JOB-06 every option of a job comes back as it was given, and is stored under the names of the protocol',
    async run({ backend, queue }) {
      const emails = queue();
      const opts = {
        jobId: 'mine',
        timestamp: 1_700_000_000_000,
        delay: 1_000_000,
        priority: 3,
        attempts: 4,
        backoff: { type: 'own', delay: 7, jitter: 0.5 },
        lifo: true,
        removeOnComplete: { count: 5, age: 60, limit: 10 },
        removeOnFail: 7,
        keepLogs: 2,
        stackTraceLimit: 3,
        sizeLimit: 100,
      };

      const job = await emails.add('send', {}, opts);

      assert.deepEqual(job.opts, opts);
      assert.deepEqual((await emails.getJob('mine'))?.toJSON(), job.toJSON());
      assert.deepEqual([job.timestamp, job.delay, job.priority], [1_700_000_000_000, 1_000_000, 3]);
      const handle = backend.openQueue({ queueName: emails.name, role: 'producer' });
      const [record] = await handle.getJobs(['mine']);
      const { keepLogs, ...others } = opts;
      assert.deepEqual(JSON.parse(record!.options), { ...others, kl: keepLogs });
      await handle.close();
    },
  },
  {
    title: 'JOB-06 a payload of more bytes than its sizeLimit is refused, and nothing is stored',
    async run({ queue }) {
      const emails = queue();
      // Four characters of two bytes, and two quotes.
      const data = 'äöüß';

      await emails.add('send', data, { sizeLimit: 10 });
      await assert.rejects(emails.add('send', data, { sizeLimit: 9 }), {
        code: 'LANE_PAYLOAD_TOO_LARGE',
        size: 10,
        sizeLimit: 9,
      });
      const bounded = queue({ defaultJobOptions: { sizeLimit: 2 } });
      await bounded.add('send', undefined);
      await assert.rejects(bounded.add('send', data), { code: 'LANE_PAYLOAD_TOO_LARGE' });
      await bounded.add('send', data, { sizeLimit: 10 });

      assert.equal(await emails.count(), 3);
    },
  },
  {
    title: 'JOB-06 the option keepLogs bounds what job.log writes, stackTraceLimit the stacks of attempts',
    async run({ queue, worker, until }) {
      const emails = queue();
      const bounded = await emails.add(
        'send',
        {},
        { attempts: 4, keepLogs: 2, stackTraceLimit: 2, backoff: 0 },
      );
      const none = await emails.add('send', {}, { attempts: 2, stackTraceLimit: 0 });
      let runs = 0;

      worker(async (job) => {
        runs += 1;
        await job.log(`run ${runs}`);
        throw new Error(`failure ${runs}`);
      });
      await until('both have failed', async () => (await emails.getJobCounts()).failed === 2);

      const { logs, count } = await emails.getJobLogs(bounded.id);
      assert.equal(count, 2);
      assert.equal(logs.length, 2);
      const stacks = (await emails.getJob(bounded.id))!.stacktrace;
      assert.equal(stacks.length, 2);
      assert.match(stacks[1]!, new RegExp(`^Error: ${(await emails.getJob(bounded.id))!.failedReason}\n`));
      assert.deepEqual((await emails.getJob(none.id))!.stacktrace, []);
      assert.equal((await emails.getJobLogs(none.id)).count, 2);
    },
  },
  {
    title: 'options of the queue hold for jobs that do not say otherwise',
    async run({ queue }) {
      const emails = queue({ defaultJobOptions: { attempts: 4, priority: 9, backoff: '1s' } });

      const job = await emails.add('send', {}, { priority: 1 });

      assert.deepEqual(job.opts, { attempts: 4, priority: 1, backoff: { type: 'fixed', delay: 1000 } });
      const { defaultJobOptions } = emails;
      assert.deepEqual(defaultJobOptions, { ...job.opts, priority: 9 });
      defaultJobOptions.backoff.delay = 5;
      assert.equal((await emails.add('send', {})).opts.backoff?.delay, 1_000);
    },
  },
  {
    title: 'a look-up sees the adds that were made before it',
    async run({ queue }) {
      const emails = queue();

      const adding = emails.add('send', {});
      const counts = await emails.getJobCounts('waiting');
      await adding;

      assert.deepEqual(counts, { waiting: 1 });
    },
  },
  {
    title: 'a closed queue refuses calls, after storing what was added before',
    async run({ queue }) {
      const emails = queue();
      const looking = queue();

      const adding = emails.add('send', {});
      await emails.close();
      await adding;

      await assert.rejects(emails.add('send', {}), { code: 'LANE_CLOSED' });
      await assert.rejects(emails.getJobCounts(), { code: 'LANE_CLOSED' });
      assert.equal(await looking.count(), 1);
    },
  },
];
