import assert from 'node:assert/strict';

import { CHANNELS } from '../../../contract/mutating-call';
import type { EngineScenario, EngineContext } from './engine-scenario';

const LEASE = 1_000;
const SWEEP = 400;
const SHORT = { lockDuration: LEASE, stalledInterval: SWEEP } as const;

/**
 * Jobs whose worker is gone, and leases that are kept.
 *
 * @internal
 */
export const recoveringCases: readonly EngineScenario[] = [
  {
    title: 'a job whose worker is gone runs again between its lease and two sweeps later',
    async run(context) {
      const { queue, worker, until, advance } = context;
      const emails = queue();
      const { id } = await emails.add('send', {});
      await claimAndVanish(context);
      const runs: number[] = [];

      const alive = worker((job) => void runs.push(job.attemptsStarted), SHORT);
      const stalled: string[] = [];
      alive.on('stalled', (jobId) => stalled.push(jobId));
      await advance(LEASE - 1);
      assert.deepEqual(runs, []);
      await advance(1 + 2 * SWEEP);
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.deepEqual(runs, [2]);
      assert.deepEqual(stalled, [id]);
      assert.equal((await emails.getJob(id))!.stalledCounter, 1);
    },
  },
  {
    title: 'T-B12 a job that one process takes back wakes an idle worker of another',
    async run(context) {
      const { queue, worker, until, advance } = context;
      const emails = queue();
      await emails.add('send', {});
      await claimAndVanish(context);
      const ran: string[] = [];
      worker(() => void ran.push('idle'), { ...SHORT, drainDelay: '1d', stalledInterval: '1d' });
      await advance(1);

      const sweeper = worker(() => void ran.push('sweeper'), SHORT);
      await sweeper.pause();
      await advance(LEASE + 2 * SWEEP);
      await until('the job ran', () => ran.length > 0);

      assert.deepEqual(ran, ['idle']);
    },
  },
  {
    title: 'a job that was abandoned too often fails with the code "stalled", without running',
    async run(context) {
      const { queue, worker, until, advance } = context;
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 5 });
      const sweeper = worker(() => assert.fail('it must not run here'), { ...SHORT, maxStalledCount: 0 });
      await sweeper.pause();
      await claimAndVanish(context);
      await advance(LEASE + 2 * SWEEP);
      await until('the job is back', async () => (await emails.getJobState(id)) === 'waiting');

      const failures: unknown[] = [];
      sweeper.on('failed', (job, error) => failures.push([job.id, error.message]));
      await sweeper.resume();
      await until('the job has failed', () => failures.length > 0);

      assert.deepEqual(failures, [[id, 'job stalled more than allowable limit']]);
      const failed = (await emails.getJob(id))!;
      assert.deepEqual([await failed.getState(), failed.failedCode], ['failed', 'stalled']);
    },
  },
  {
    title: 'T-B16 being abandoned costs no attempt, and failing is no stall',
    async run(context) {
      const { queue, worker, until, advance } = context;
      const emails = queue();
      const { id } = await emails.add('send', {}, { attempts: 3 });
      await claimAndVanish(context);
      let runs = 0;

      worker(
        () => {
          runs += 1;
          if (runs < 3) {
            throw new Error('not yet');
          }
        },
        { ...SHORT, maxStalledCount: 1 },
      );
      await advance(LEASE + 2 * SWEEP);
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      const { attemptsMade, attemptsStarted, stalledCounter } = (await emails.getJob(id))!;
      assert.deepEqual(
        { attemptsMade, attemptsStarted, stalledCounter },
        { attemptsMade: 3, attemptsStarted: 4, stalledCounter: 1 },
      );
    },
  },
  {
    title: 'a handler that takes many leases keeps its job',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const { id } = await emails.add('send', {});
      let end: () => void = () => undefined;
      let runs = 0;
      const handler = (): Promise<void> => {
        runs += 1;
        return new Promise((resolve) => (end = resolve));
      };
      const holder = worker(handler, SHORT);
      worker(handler, SHORT);
      const renewed: string[] = [];
      holder.on('locksRenewed', ({ jobIds }) => renewed.push(...jobIds));
      await until('it runs', () => runs === 1);

      await advance(10 * LEASE);
      end();
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');

      assert.equal(runs, 1);
    },
  },
  {
    title: 'a worker that lost its lease has its signal aborted, and its late result is refused',
    async run(context) {
      const { queue, worker, until, advance } = context;
      const emails = queue();
      const { id } = await emails.add('send', {});
      let token = '';
      let finish: (value: string) => void = () => undefined;
      let signal: AbortSignal | undefined;
      const errors: unknown[] = [];
      const slow = worker((_job, given, itsSignal) => {
        token = given;
        signal = itsSignal;
        return new Promise((resolve) => (finish = resolve));
      }, SHORT);
      slow.on('error', (error) => errors.push((error as { code?: string }).code));
      slow.on('completed', () => assert.fail('its result was not written'));
      const lost: string[][] = [];
      slow.on('lockRenewalFailed', (ids) => lost.push(ids));
      await until('it runs', () => signal !== undefined);

      await handBackBehindItsBack(context, id, token);
      await advance(LEASE);
      await until('the signal is aborted', () => signal!.aborted);
      assert.deepEqual(lost, [[id]]);
      assert.equal((signal!.reason as { code?: string }).code, 'LANE_LEASE_LOST');
      finish('too late');
      await until('the refusal is reported', () => errors.includes('LANE_LEASE_LOST'));

      assert.equal((await emails.getJob(id))!.returnvalue, null);
    },
  },
  {
    title: 'JOB-18 leases are renewed as often as lockRenewTime says',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const renewals: string[] = [];
      let end: () => void = () => undefined;
      const one = worker(() => new Promise<void>((resolve) => (end = resolve)), {
        lockDuration: 10_000,
        lockRenewTime: 9_000,
      });
      one.on('locksRenewed', ({ jobIds }) => renewals.push(...jobIds));
      const { id } = await emails.add('send', {});
      await until('it is in hand', () => one.cancelJob(id));

      await advance(8_999);
      assert.deepEqual(renewals, []);
      await advance(1);
      await until('it is renewed', () => renewals.length === 1);
      await advance(9_000);
      await until('it is renewed again', () => renewals.length === 2);

      end();
      await until('the job is completed', async () => (await emails.getJobState(id)) === 'completed');
    },
  },
  {
    title: 'leases are not renewed with skipLockRenewal, so that a job has to end in time',
    async run({ queue, worker, until, advance }) {
      const emails = queue();
      const told: unknown[] = [];
      const ends: (() => void)[] = [];
      const one = worker(() => new Promise<void>((resolve) => ends.push(resolve)), {
        lockDuration: 1_000,
        skipLockRenewal: true,
        skipStalledCheck: true,
        concurrency: 2,
      });
      one.on('locksRenewed', () => assert.fail('nothing is renewed'));
      one.on('error', (error) => told.push((error as { code?: string }).code));
      const [first] = await emails.addBulk(['in time', 'late'].map((name) => ({ name, data: {} })));
      await until('both run', () => ends.length === 2);

      await advance(999);
      ends[0]!();
      await until('one is completed', async () => (await emails.getJobState(first!.id)) === 'completed');
      await advance(1);
      ends[1]!();
      await until('the other is refused', () => told.length > 0);

      assert.deepEqual(told, ['LANE_LEASE_LOST']);
    },
  },
];

/** A worker process that takes a job and dies at once. */
async function claimAndVanish({ backend, queue, clock }: EngineContext): Promise<void> {
  const handle = backend.openQueue({ queueName: queue().name, role: 'worker' });
  const call = {
    caller: handle.caller,
    channel: CHANNELS.work[0],
    sequence: 1,
    notAfter: clock.now() + 60_000,
  };
  const { claim } = await handle.claimJobs({ count: 1, leaseDuration: LEASE, workerName: null }, call);
  assert.equal(claim.jobs.length, 1);
  await handle.close();
}

/** What an operator's tool, or a clock that jumped, does to a worker: its lease ends before its handler. */
async function handBackBehindItsBack(
  { backend, queue, clock }: EngineContext,
  id: string,
  token: string,
): Promise<void> {
  const emails = queue();
  await emails.pause();
  const handle = backend.openQueue({ queueName: emails.name, role: 'worker' });
  const call = {
    caller: handle.caller,
    channel: CHANNELS.work[0],
    sequence: 1,
    notAfter: clock.now() + 60_000,
  };
  const reply = await handle.settleJobs(
    { outcomes: [{ kind: 'handed-back', id, token }], claim: null },
    call,
  );
  assert.deepEqual(reply.refusals, [null]);
  await handle.close();
}
