import assert from 'node:assert/strict';

import { CHANNELS } from '../../../contract/mutating-call';
import type { Worker } from '../../../engine/worker/worker';
import type { EngineContext, EngineScenario } from './engine-scenario';

const DAY = 86_400_000;

/**
 * Jobs that are fetched and ended by hand.
 *
 * @internal
 */
export const fetchingCases: readonly EngineScenario[] = [
  {
    title: 'JOB-15 a worker without a processor fetches jobs, and whoever knows the token completes them',
    async run({ queue, worker }) {
      const emails = queue();
      const { id } = await emails.add('send', { to: 'a' });
      const manual = worker(null, { name: 'hand' });
      const active: string[] = [];
      manual.on('active', (job) => active.push(job.id));

      const job = (await manual.getNextJob('mine'))!;

      assert.deepEqual(
        [job.id, job.data, job.token, job.attemptsStarted, job.processedBy, await job.getState()],
        [id, { to: 'a' }, 'mine', 1, 'hand', 'active'],
      );
      assert.equal(await (await emails.getJob(id))!.moveToCompleted('sent', 'mine', false), undefined);
      const done = (await emails.getJob(id))!;
      assert.deepEqual(
        [await done.getState(), done.returnvalue, done.attemptsMade, active],
        ['completed', 'sent', 1, [id]],
      );
    },
  },
  {
    title: 'JOB-16 a token that is not that of the lease ends no run',
    async run({ queue, worker }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      const job = (await worker(null).getNextJob('mine'))!;

      const lost = { code: 'LANE_LEASE_LOST' };
      await assert.rejects(job.moveToCompleted('x', 'yours'), lost);
      await assert.rejects(job.moveToFailed(new Error('x'), 'yours'), lost);
      await assert.rejects(job.moveToDelayed(0, 'yours'), lost);
      await assert.rejects(job.moveToWait('yours'), lost);
      assert.equal(await job.extendLock('yours', '1m'), 0);
      const stranger = (await emails.getJob(id))!;
      for (const token of [undefined, '', '0', 5]) {
        await assert.rejects(stranger.moveToWait(token as string), { code: 'LANE_BAD_TOKEN' });
        await assert.rejects(stranger.moveToCompleted('x', token as string), { code: 'LANE_BAD_TOKEN' });
        await assert.rejects(worker(null).getNextJob(token as string), { code: 'LANE_BAD_TOKEN' });
      }
      await assert.rejects(job.moveToCompleted(1n, 'mine'), { code: 'LANE_UNSERIALIZABLE' });

      assert.equal(await job.getState(), 'active');
      assert.equal((await emails.getJob(id))!.attemptsMade, 0);
    },
  },
  {
    title: 'ending a run fetches the next job in the same step, under the same token',
    async run({ queue, worker }) {
      const emails = queue();
      await emails.addBulk(['a', 'b', 'c'].map((name) => ({ name, data: {} })));
      const manual = worker(null);
      const active: string[] = [];
      manual.on('active', (job) => active.push(job.name));
      const first = (await manual.getNextJob('mine'))!;

      const second = (await first.moveToCompleted(1, 'mine'))!;
      const third = (await second.moveToFailed(new Error('broken'), 'mine', true))!;
      assert.deepEqual([second.token, third.token, await third.getState()], ['mine', 'mine', 'active']);
      assert.equal(await third.moveToCompleted(3, 'mine'), undefined);

      assert.deepEqual(active, ['a', 'b', 'c']);
      assert.deepEqual(await emails.getJobCounts('active', 'completed', 'failed', 'waiting'), {
        active: 0,
        completed: 2,
        failed: 1,
        waiting: 0,
      });
    },
  },
  {
    title: 'a run that is not ended because its lease is lost leaves the next job where it is',
    async run({ queue, worker, advance, events, until }) {
      const emails = queue();
      await emails.addBulk(['a', 'b'].map((name) => ({ name, data: {} })));
      const manual = worker(null, { lockDuration: 100 });
      const job = (await manual.getNextJob('mine'))!;
      await advance(100);
      const heard: unknown[] = [];
      (await events()).on('waiting', ({ jobId, prev }) => heard.push([jobId, prev]));

      await assert.rejects(job.moveToCompleted(1, 'mine', true), { code: 'LANE_LEASE_LOST' });

      const [next] = await emails.getWaiting();
      assert.equal(next!.name, 'b');
      await until('it was handed back', () => heard.length > 0);
      assert.deepEqual(heard, [[next!.id, 'active']]);
    },
  },
  {
    title: 'JOB-20 a run that fails by hand is tried again as its options say, then failed',
    async run({ queue, worker, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 3, backoff: '1m' });
      const manual = worker(null);
      const first = (await manual.getNextJob('a'))!;

      await first.moveToFailed(new Error('once'), 'a');
      assert.deepEqual([await first.getState(), first.attemptsMade], ['delayed', 1]);
      await advance(60_000);
      await (await manual.getNextJob('b'))!.moveToFailed(new Error('twice'), 'b');
      await advance(60_000);
      await (await manual.getNextJob('c'))!.moveToFailed(new Error('for good'), 'c');

      const job = (await emails.getJob(id))!;
      assert.deepEqual(
        [await job.getState(), job.failedReason, job.attemptsMade, job.stacktrace.length],
        ['failed', 'for good', 3, 3],
      );
    },
  },
  {
    title: 'JOB-21 a run that fails by hand with an unrecoverable error is not tried again',
    async run({ queue, worker }) {
      const emails = queue();
      await emails.add('send', {}, { attempts: 3 });
      const job = (await worker(null).getNextJob('a'))!;

      await job.moveToFailed(Object.assign(new Error('no'), { name: 'UnrecoverableError' }), 'a');

      assert.equal(await job.getState(), 'failed');
    },
  },
  {
    title: 'JOB-25 what is kept is what the job, or else its worker, says, also for runs that end by hand',
    async run({ queue, worker }) {
      const emails = queue();
      await emails.add('send', {});
      await emails.add('send', {}, { removeOnComplete: false });
      await emails.add('send', {});
      await emails.add('send', {}, { removeOnFail: false });
      const manual = worker(null, { removeOnComplete: true, removeOnFail: true });
      const dropped = (await manual.getNextJob('a'))!;
      const kept = (await dropped.moveToCompleted(1, 'a'))!;
      const failed = (await kept.moveToCompleted(2, 'a'))!;
      const keptFailed = (await failed.moveToFailed(new Error('no luck'), 'a', true))!;
      await keptFailed.moveToFailed(new Error('no luck'), 'a');

      assert.deepEqual(await Promise.all([dropped, kept, failed, keptFailed].map((job) => job.getState())), [
        'unknown',
        'completed',
        'unknown',
        'failed',
      ]);
    },
  },
  {
    title:
      'JOB-18 leases on jobs that were fetched are lengthened by whoever knows their tokens, and by nobody else',
    async run({ queue, worker, advance }) {
      const emails = queue();
      await emails.addBulk(['a', 'b', 'c'].map((name) => ({ name, data: {} })));
      const manual = worker(null, { lockDuration: 1_000 });
      const [a, b, c] = [
        (await manual.getNextJob('1'))!,
        (await manual.getNextJob('2'))!,
        (await manual.getNextJob('3'))!,
      ];
      await advance(999);

      assert.equal(await a.extendLock('1', '2s'), 1);
      assert.deepEqual(await manual.extendJobLocks([a.id, b.id, 'never'], ['1', '2', '3'], 2_000), ['never']);
      await assert.rejects(manual.extendJobLocks([a.id], [], 2_000), { code: 'LANE_BAD_TOKEN' });
      await assert.rejects(manual.extendJobLocks([a.id], ['1'], -1), { code: 'LANE_BAD_DURATION' });
      await advance(1_999);

      await assert.rejects(c.moveToCompleted(1, '3', false), { code: 'LANE_LEASE_LOST' });
      await a.moveToCompleted(1, '1', false);
      assert.equal(await b.extendLock('2', 1_000), 1);
      assert.deepEqual(await manual.extendJobLocks([b.id, c.id], ['2', '3'], 1_000), [c.id]);
    },
  },
  {
    title: 'many leases are lengthened in several calls',
    async run({ queue, worker }) {
      const emails = queue();
      await emails.addBulk(Array.from({ length: 201 }, () => ({ name: 'send', data: {} })));
      const manual = worker(null);
      const ids: string[] = [];
      for (let index = 0; index < 201; index += 1) {
        ids.push((await manual.getNextJob(`t${index}`))!.id);
      }
      const tokens = ids.map((_, index) => (index === 200 ? 'wrong' : `t${index}`));

      assert.deepEqual(await manual.extendJobLocks(ids, tokens, 1_000), [ids[200]]);
    },
  },
  {
    title: 'JOB-38 JOB-42 who fetches waits for a job, as long as drainDelay says, unless told not to',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const manual = worker(null, { drainDelay: '10s' });
      const drained: string[] = [];
      manual.on('drained', () => drained.push('drained'));
      assert.equal(await manual.getNextJob('a', { block: false }), undefined);
      assert.deepEqual(drained, ['drained']);

      const waiting = track(manual.getNextJob('a'));
      await advance(9_999);
      assert.equal(waiting.isOver(), false);
      await advance(1);
      assert.equal(await waiting.result, undefined);

      const both = [track(manual.getNextJob('b')), track(manual.getNextJob('c'))];
      await advance(1_000);
      const { id } = await emails.add('send', {});
      await until('one of them has it', () => both.some(({ isOver }) => isOver()));
      await emails.add('send', {});
      await advance(10_000);
      const jobs = await Promise.all(both.map(({ result }) => result));
      assert.equal(jobs.filter((job) => job?.id === id).length, 1);
    },
  },
  {
    title: 'who fetches waits for a job that is held back',
    async run({ queue, worker, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {}, { delay: '1m' });
      const manual = worker(null, { drainDelay: '1d' });

      const waiting = track(manual.getNextJob('a'));
      await advance(59_999);
      assert.equal(waiting.isOver(), false);
      await advance(1);

      assert.equal((await waiting.result)!.id, id);
    },
  },
  {
    title:
      'JOB-32 who fetches gets nothing while the worker or the queue is paused, or when the worker is closed',
    async run({ queue, worker, advance, until }) {
      const emails = queue();
      const manual = worker(null, { drainDelay: '1d' });
      const waiting = track(manual.getNextJob('a'));
      await advance(1_000);
      await manual.pause();
      assert.equal(await waiting.result, undefined);
      const { id } = await emails.add('send', {});
      assert.equal(await manual.getNextJob('a'), undefined);
      await manual.resume();
      await emails.pause();
      assert.equal(await manual.getNextJob('a', { block: false }), undefined);
      const resumed = track(manual.getNextJob('a'));
      await advance(1_000);
      await emails.resume();
      await until('it has the job', resumed.isOver);
      assert.equal((await resumed.result)!.id, id);

      const last = track(manual.getNextJob('b'));
      await advance(1_000);
      await manual.close();
      assert.equal(await last.result, undefined);
      assert.equal(await manual.getNextJob('b'), undefined);
      assert.equal(await emails.getJobState(id), 'active');
    },
  },
  {
    title: 'a job that a fetch brings while the worker closes is handed back',
    async run({ queue, worker }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      const manual = worker(null);
      await manual.waitUntilReady();

      const fetched = manual.getNextJob('a');
      await manual.close();

      assert.equal(await fetched, undefined);
      assert.equal(await emails.getJobState(id), 'waiting');
    },
  },
  {
    title:
      'T-B14 a job that was abandoned too often fails when it is fetched, and the caller gets the next one',
    async run(context) {
      const { queue, worker, advance, until, events } = context;
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 5 });
      await claimAndVanish(context);
      const next = await emails.add('send', {});
      const manual = worker(null, { stalledInterval: 400, maxStalledCount: 0 });
      const stalled: string[] = [];
      const failures: unknown[] = [];
      manual.on('stalled', (jobId) => stalled.push(jobId));
      manual.on('failed', (job, error) => failures.push([job.id, error.message]));
      const heard: unknown[] = [];
      (await events()).on('failed', ({ jobId, failedReason }) => heard.push([jobId, failedReason]));
      await manual.startStalledCheckTimer();
      await advance(1_000 + 2 * 400);
      await until('the job is back', () => stalled.length > 0);
      const reason = 'job stalled more than allowable limit';
      assert.equal((await emails.getJob(id))!.deferredFailure, reason);

      const job = (await manual.getNextJob('mine'))!;

      assert.deepEqual([job.id, job.token, stalled, failures], [next.id, 'mine', [id], [[id, reason]]]);
      const dead = (await emails.getJob(id))!;
      assert.deepEqual(
        [await dead.getState(), dead.failedCode, dead.failedReason],
        ['failed', 'stalled', reason],
      );
      await until('the event is heard', () => heard.length > 0);
      assert.deepEqual(heard, [[id, reason]]);
      await job.moveToCompleted(1, 'mine', false);
    },
  },
  {
    title:
      'jobs that must not run any more are failed however many there are, and nobody gets them with the next either',
    async run({ queue, worker }) {
      const emails = queue();
      await emails.addBulk(Array.from({ length: 5 }, (_, index) => ({ name: `${index}`, data: {} })));
      const first = worker(null);
      for (let starts = 0; starts < 2; starts += 1) {
        const jobs = [];
        for (let index = 0; index < 4; index += 1) {
          jobs.push((await first.getNextJob(`t${index}`))!);
        }
        for (const [index, job] of [...jobs.entries()].reverse()) {
          await job.moveToWait(`t${index}`);
        }
      }
      const manual = worker(null, { maxStartedAttempts: 2 });

      const job = (await manual.getNextJob('mine'))!;

      assert.equal(job.name, '4');
      assert.equal((await emails.getJobCounts()).failed, 4);
      assert.equal(await job.moveToCompleted(1, 'mine'), undefined);
    },
  },
  {
    title: 'JOB-28 a worker with skipStalledCheck takes no abandoned jobs back, whoever starts it',
    async run(context) {
      const { queue, worker, advance, until } = context;
      const emails = queue();
      const { id } = await emails.add('send', {});
      await claimAndVanish(context);
      const lazy = worker(() => undefined, { stalledInterval: 400, skipStalledCheck: true });
      await lazy.startStalledCheckTimer();
      await advance(1_000 + 4 * 400);
      assert.equal(await emails.getJobState(id), 'active');

      const manual = worker(null, { stalledInterval: 400 });
      await Promise.all([manual.startStalledCheckTimer(), manual.startStalledCheckTimer()]);
      await advance(3 * 400);
      await until('it is completed', async () => (await emails.getJobState(id)) === 'completed');
    },
  },
  {
    title: 'a worker without a processor runs nothing by itself, and cannot be run',
    async run({ queue, worker, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      for (const manual of [worker(null), worker(undefined, { autorun: true })]) {
        await assert.rejects(manual.run(), { code: 'LANE_NO_PROCESSOR' });
        assert.equal(manual.isRunning(), false);
      }
      await advance(60_000);

      assert.equal(await emails.getJobState(id), 'waiting');
    },
  },
  {
    title: 'a worker with a processor fetches by hand besides, without waiting',
    async run({ queue, worker, until }) {
      const emails = queue();
      let end: () => void = () => undefined;
      const ran: string[] = [];
      const one = worker((job) => {
        ran.push(job.name);
        return new Promise<void>((resolve) => (end = resolve));
      });
      await emails.addBulk(['a', 'b'].map((name) => ({ name, data: {} })));
      await until('the first one runs', () => ran.length > 0);

      const job = (await one.getNextJob('mine'))!;
      assert.equal(job.name, 'b');
      assert.equal(await one.getNextJob('other'), undefined);
      await job.moveToCompleted(1, 'mine', false);
      end();
      await until('both are completed', async () => (await emails.getJobCounts()).completed === 2);

      assert.deepEqual(ran, ['a']);
    },
  },
  {
    title: 'getNextJob refuses options that it does not know',
    async run({ worker }) {
      const manual: Worker = worker(null);
      await assert.rejects(manual.getNextJob('a', { blocks: true } as never), {
        code: 'LANE_UNKNOWN_OPTION',
      });
      await assert.rejects(manual.getNextJob('a', { block: 'no' as never }), { code: 'LANE_BAD_FLAG' });
    },
  },
];

function track<T>(result: Promise<T>): { result: Promise<T>; isOver: () => boolean } {
  let over = false;
  const end = (): void => void (over = true);
  result.then(end, end);
  return { result, isOver: () => over };
}

/** A worker process that takes a job for a second and dies at once. */
async function claimAndVanish({ backend, queue, clock }: EngineContext): Promise<void> {
  const handle = backend.openQueue({ queueName: queue().name, role: 'worker' });
  const notAfter = clock.now() + DAY;
  const call = { caller: handle.caller, channel: CHANNELS.work[0], sequence: 1, notAfter };
  const { claim } = await handle.claimJobs({ count: 1, leaseDuration: 1_000, workerName: null }, call);
  assert.equal(claim.jobs.length, 1);
  await handle.close();
}
