import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Claim, MutatingCall, PatternIteration, PlanIterationRequest } from 'nestjs-lane/contract';
import { ConnectionLostError, StoreFullError } from 'nestjs-lane/contract';
import { type Job, Queue, Worker } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';

import { AlteredBackend } from '../../support/altered-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ManualClock } from '../../support/manual-clock';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

/** 2024-01-01T00:00:00Z, a Monday. */
const START = 1_704_067_200_000;

/** Nobody can put schedulers into a memory store, so claims are made to tell of some. */
describe('a claimed iteration of a scheduler with a cron pattern', () => {
  let clock: ManualClock;
  let backend: AlteredBackend;
  let queue: Queue;
  let worker: Worker | undefined;
  let errors: Error[];
  let planned: (PlanIterationRequest & { call: MutatingCall })[];
  /** What planning does besides being noted. */
  let planning: () => Promise<void>;
  /** Ids of jobs and of plans, in the order in which they happen. */
  let history: string[];
  const iterations = new Map<string, PatternIteration>();

  beforeEach(() => {
    clock = new ManualClock(START);
    backend = new AlteredBackend(memory({ clock }));
    queue = new Queue('reports', { backend, clock });
    errors = [];
    planned = [];
    history = [];
    planning = () => Promise.resolve();
    iterations.clear();
    const told = (claim: Claim): Claim => ({
      ...claim,
      iterations: claim.jobs.flatMap(({ id }) => iterations.get(id) ?? []),
    });
    backend.alter('claimJobs', (real) => async (request, call) => {
      const reply = await real(request, call);
      return { ...reply, claim: told(reply.claim) };
    });
    backend.alter('settleJobs', (real) => async (request, call) => {
      const reply = await real(request, call);
      return { ...reply, claim: reply.claim === null ? null : told(reply.claim) };
    });
    backend.alter('planIteration', () => async (request, call) => {
      planned.push({ ...request, call });
      await planning();
      history.push(`planned ${request.id}`);
      return { now: clock.now(), planned: `after-${request.id}` };
    });
  });

  afterEach(async () => {
    await worker?.close(true);
    worker = undefined;
    await queue.close();
  });

  function iterationOf(id: string, changes: Partial<PatternIteration> = {}): void {
    iterations.set(id, { id, pattern: '0 * * * *', after: START, tz: 'UTC', startDate: null, ...changes });
  }

  function work(process = (job: Job): unknown => history.push(`ran ${job.id}`)): Worker {
    worker = new Worker('reports', process, { backend, clock, concurrency: 5 });
    worker.on('error', (error) => errors.push(error));
    return worker;
  }

  const completed = async (count: number): Promise<boolean> =>
    (await queue.getJobCounts('completed')).completed === count;

  async function completion(count: number): Promise<void> {
    await waitUntil(() => completed(count), { reason: `${count} jobs are completed` });
  }

  it('has its successor planned, for the next time of the pattern, before it runs', async () => {
    iterationOf('hourly');
    iterationOf('weekly', { pattern: '0 30 9 * * 1', tz: 'Europe/Berlin' });
    iterationOf('later', { startDate: START + 86_400_000 });
    for (const jobId of ['hourly', 'weekly', 'later', 'plain']) {
      await queue.add('report', {}, { jobId });
    }
    work();
    await completion(4);

    expect(planned.map(({ id, due }) => [id, due - START])).toEqual([
      ['hourly', 3_600_000],
      ['weekly', 8.5 * 3_600_000],
      ['later', 86_400_000 + 3_600_000],
    ]);
    for (const id of iterations.keys()) {
      expect(history.indexOf(`planned ${id}`)).toBeLessThan(history.indexOf(`ran ${id}`));
    }
    expect(errors).toEqual([]);
  });

  it('holds up no other job of its claim', async () => {
    let plan = (): void => undefined;
    planning = () => new Promise((resolve) => (plan = resolve));
    iterationOf('iteration');
    await queue.add('report', {}, { jobId: 'iteration' });
    await queue.add('report', {}, { jobId: 'other' });
    work();
    await completion(1);

    expect(history).toEqual(['ran other']);
    plan();
    await completion(2);
    expect(history).toEqual(['ran other', 'planned iteration', 'ran iteration']);
  });

  it('is planned to the end when it is cancelled meanwhile, and then fails without running', async () => {
    let plan = (): void => undefined;
    planning = () => new Promise((resolve) => (plan = resolve));
    iterationOf('iteration');
    const job = await queue.add('report', {}, { jobId: 'iteration', attempts: 3 });
    const failures: Error[] = [];
    work().on('failed', (_job, error) => failures.push(error));
    await waitUntil(() => planned.length === 1, { reason: 'it is being planned' });

    expect(await queue.cancel('iteration', 'not today')).toBe('requested');
    plan();
    await expect(job.finished()).rejects.toMatchObject({ code: 'LANE_JOB_CANCELLED', reason: 'not today' });

    expect(history).toEqual(['planned iteration']);
    expect(failures).toMatchObject([{ code: 'LANE_JOB_CANCELLED' }]);
    expect(errors).toEqual([]);
  });

  it('is planned once when a reply is lost, and then runs', async () => {
    let losses = 2;
    planning = async () => {
      if (losses > 0) {
        losses -= 1;
        throw new ConnectionLostError('The store', true);
      }
    };
    iterationOf('iteration');
    await queue.add('report', {}, { jobId: 'iteration' });
    work();
    await waitUntil(() => planned.length === 1, { reason: 'it was planned' });
    await clock.advance(1_000);
    await completion(1);

    expect(new Set(planned.map(({ call }) => call.sequence)).size).toBe(1);
    expect(planned).toHaveLength(3);
    expect(errors).toEqual([]);
  });

  it('is handed back after a second when the store does not plan, and planned when it comes again', async () => {
    planning = async () => {
      throw new StoreFullError('The store');
    };
    iterationOf('iteration');
    await queue.add('report', {}, { jobId: 'iteration' });
    work();
    await waitUntil(() => errors.length > 0, { reason: 'the error was reported' });

    await clock.advance(999);
    expect(await queue.getJobState('iteration')).toBe('active');
    planning = () => Promise.resolve();
    await clock.advance(1);
    await completion(1);

    expect(planned).toHaveLength(2);
    expect(history).toEqual(['planned iteration', 'ran iteration']);
    expect(errors).toMatchObject([{ code: 'LANE_STORE_FULL' }]);
    expect(await queue.getJob('iteration')).toMatchObject({ attemptsMade: 1, attemptsStarted: 2 });
  });

  it('is handed back, and does not run, when its worker closes meanwhile', async () => {
    let plan = (): void => undefined;
    planning = () => new Promise((resolve) => (plan = resolve));
    iterationOf('iteration');
    await queue.add('report', {}, { jobId: 'iteration' });
    const running = work();
    await waitUntil(() => planned.length === 1, { reason: 'planning began' });

    const closed = running.close(true);
    await clock.advance(1);
    await closed;
    plan();

    expect(await queue.getJobState('iteration')).toBe('waiting');
    expect(history).not.toContain('ran iteration');
    expect(errors).toEqual([]);
  });

  it('runs, and the error is reported, when its pattern cannot be read', async () => {
    iterationOf('iteration', { pattern: 'now and then' });
    await queue.add('report', {}, { jobId: 'iteration' });
    work();
    await completion(1);

    expect(planned).toEqual([]);
    expect(errors).toMatchObject([{ code: 'LANE_BAD_PATTERN', pattern: 'now and then' }]);
  });

  it('runs when nothing follows it', async () => {
    iterationOf('iteration', { after: 8.64e15, tz: null });
    await queue.add('report', {}, { jobId: 'iteration' });
    work();
    await completion(1);

    expect(planned).toEqual([]);
    expect(errors).toEqual([]);
  });
});
