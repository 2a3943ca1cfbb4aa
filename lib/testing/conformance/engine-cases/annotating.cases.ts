import assert from 'node:assert/strict';

import { QueueUser } from '../queue-user';
import type { EngineScenario } from './engine-scenario';

/**
 * Data, progress and logs of jobs, changed from outside and from handlers.
 *
 * @internal
 */
export const annotatingCases: readonly EngineScenario[] = [
  {
    title: 'T-B57 MGMT-26 data is replaced by any JSON value, on the job and in the store',
    async run({ queue }) {
      const emails = queue();
      const job = await emails.add('send', { to: 'a' });
      assert.deepEqual(job.data, { to: 'a' });

      for (const data of [0, false, '', null, [], { to: ['b'] }]) {
        await job.updateData(data);
        assert.deepEqual(job.data, data);
        assert.deepEqual((await emails.getJob(job.id))?.data, data);
      }
      await job.updateData(undefined);
      assert.deepEqual((await emails.getJob(job.id))?.data, {});
      await assert.rejects(job.updateData(1n), { code: 'LANE_UNSERIALIZABLE' });
      assert.deepEqual(job.data, {});
    },
  },
  {
    title: 'JOB-43 a handler changes the data of its job, and the next attempt finds it changed',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', { step: 1 }, { attempts: 2 });
      const seen: unknown[] = [];

      worker(async (job) => {
        seen.push(job.data);
        await job.updateData({ step: 2 });
        if (seen.length === 1) {
          throw new Error('half done');
        }
        return job.data as unknown;
      });
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.deepEqual(seen, [{ step: 1 }, { step: 2 }]);
      assert.deepEqual((await emails.getJob(id))?.returnvalue, { step: 2 });
    },
  },
  {
    title: 'MGMT-29 MGMT-30 JOB-43 what a handler logs can be read in either order, page by page',
    async run({ queue, worker, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      const counts: number[] = [];

      worker(async (job) => {
        counts.push(await job.log('began'), await job.log('sent'), await job.log('ended'));
      });
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.deepEqual(counts, [1, 2, 3]);
      assert.deepEqual(await emails.getJobLogs(id), { logs: ['began', 'sent', 'ended'], count: 3 });
      assert.deepEqual(await emails.getJobLogs(id, 0, 1), { logs: ['began', 'sent'], count: 3 });
      assert.deepEqual(await emails.getJobLogs(id, 0, 0, false), { logs: ['ended'], count: 3 });
      assert.deepEqual(await emails.getJobLogs(id, 1, -1, false), { logs: ['sent', 'began'], count: 3 });
      assert.deepEqual(await emails.getJobLogs(id, 2, 1), { logs: [], count: 3 });
      assert.deepEqual(await emails.getJobLogs('none'), { logs: [], count: 0 });
      await assert.rejects(emails.getJobLogs(id, -1), { code: 'LANE_BAD_RANGE' });
    },
  },
  {
    title: 'T-B57 MGMT-29 rows that are logged in one turn stand in order, as they were written',
    async run({ queue }) {
      const emails = queue();
      const job = await emails.add('send', {});
      const rows = ['', '0', 'false', 'null', '\u2028\ud83d\ude80', ...Array.from({ length: 250 }, String)];

      const counts = await Promise.all(rows.map((row) => job.log(row)));

      assert.deepEqual(
        counts,
        rows.map((_, index) => index + 1),
      );
      assert.deepEqual((await emails.getJobLogs(job.id)).logs, rows);
      for (const row of [0, false, null, undefined, {}]) {
        await assert.rejects(job.log(row as never), { code: 'LANE_BAD_LOG_ROW' });
        await assert.rejects(emails.addJobLog(job.id, row as never), { code: 'LANE_BAD_LOG_ROW' });
      }
      assert.equal((await emails.getJobLogs(job.id)).count, rows.length);
    },
  },
  {
    title:
      'MGMT-29 MGMT-31 addJobLog writes and shortens a log, clearLogs empties it or leaves the newest rows',
    async run({ queue }) {
      const emails = queue();
      const job = await emails.add('send', {});
      const logs = async (): Promise<string[]> => (await emails.getJobLogs(job.id)).logs;

      assert.equal(await emails.addJobLog(job.id, 'a'), 1);
      assert.equal(await emails.addJobLog(job.id, 'b'), 2);
      assert.equal(await emails.addJobLog(job.id, 'c', 2), 2);
      assert.deepEqual(await logs(), ['b', 'c']);
      await job.clearLogs(1);
      assert.deepEqual(await logs(), ['c']);
      await job.clearLogs(5);
      assert.deepEqual(await logs(), ['c']);
      await job.clearLogs();
      assert.deepEqual(await emails.getJobLogs(job.id), { logs: [], count: 0 });
      for (const keep of [-1, 0.5, '1', null]) {
        await assert.rejects(job.clearLogs(keep as never), { code: 'LANE_BAD_KEEP_LOGS' });
        await assert.rejects(emails.addJobLog(job.id, 'd', keep as never), { code: 'LANE_BAD_KEEP_LOGS' });
      }
      await assert.rejects(emails.addJobLog(job.id, 'd', 0), { code: 'LANE_BAD_KEEP_LOGS' });
      assert.deepEqual(await logs(), []);
    },
  },
  {
    title: 'MGMT-27 updateJobProgress stores the progress of any job and tells it to all',
    async run({ queue, events, until }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      const told: unknown[] = [];
      const heard: unknown[] = [];
      emails.on('progress', (job, progress) => told.push([job, progress]));
      (await events()).on('progress', ({ jobId, data }) => heard.push([jobId, data]));
      const values = [0, false, '', null, [], { done: 2 }];

      for (const value of values) {
        await emails.updateJobProgress(id, value);
        assert.deepEqual((await emails.getJob(id))?.progress, value);
      }

      const expected = values.map((value) => [id, value]);
      assert.deepEqual(told, expected);
      await until('all was heard', () => heard.length === values.length);
      assert.deepEqual(heard, expected);
      await assert.rejects(emails.updateJobProgress(id, 1n), { code: 'LANE_UNSERIALIZABLE' });
    },
  },
  {
    title: 'MGMT-40 what is written to a job that is not there is refused',
    async run({ backend, queue, worker, until }) {
      const emails = queue();
      const job = await emails.add('send', {}, { removeOnComplete: true });
      worker(() => 'done');
      await until('the job is gone', async () => (await emails.getJob(job.id)) === undefined);

      const refused = { code: 'LANE_JOB_NOT_FOUND' };
      await assert.rejects(job.updateData(1), refused);
      await assert.rejects(job.log('row'), refused);
      await assert.rejects(job.clearLogs(), refused);
      await assert.rejects(emails.addJobLog(job.id, 'row'), refused);
      await assert.rejects(emails.updateJobProgress(job.id, 1), refused);

      const user = new QueueUser(backend.openQueue({ queueName: emails.name, role: 'producer' }));
      await user.addIds('next');
      assert.deepEqual(job.data, {});
      assert.deepEqual(await user.logs(job.id), []);
      await user.handle.close();
    },
  },
];
