import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Refusal } from 'nestjs-lane/contract';
import { type Job, Queue, UnrecoverableError, Worker } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';

import { AlteredBackend } from '../../support/altered-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

/** Nobody can give the jobs of a memory store children, so outcomes are refused as if they had some. */
describe('a job that is completed although its children do not let it', () => {
  let backend: AlteredBackend;
  let queue: Queue;
  let worker: Worker | undefined;
  let errors: Error[];
  let completed: string[];
  let failed: [id: string, error: Error][];
  /** How the next completions of a job are refused. */
  let refusals: Map<string, Refusal[]>;

  beforeEach(() => {
    backend = new AlteredBackend(memory());
    queue = new Queue('reports', { backend });
    errors = [];
    completed = [];
    failed = [];
    refusals = new Map();
    backend.alter('settleJobs', (real) => async ({ outcomes, claim }, call) => {
      const refused = outcomes.map(({ kind, id }) =>
        kind === 'completed' ? refusals.get(id)?.shift() : undefined,
      );
      const taken = outcomes.filter((_, index) => refused[index] === undefined);
      const reply = await real({ outcomes: taken, claim }, call);
      const answers = [...reply.refusals];
      return { ...reply, refusals: refused.map((refusal) => refusal ?? answers.shift() ?? null) };
    });
  });

  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await queue.close();
  });

  function work(process: (job: Job) => unknown = (job) => job.id): Worker {
    worker = new Worker('reports', process, { backend, concurrency: 5 });
    worker.on('error', (error) => errors.push(error));
    worker.on('completed', (job) => completed.push(job.id));
    worker.on('failed', (job, error) => failed.push([job.id, error]));
    return worker;
  }

  async function ends(count: number): Promise<void> {
    await waitUntil(() => completed.length + failed.length === count, { reason: `${count} runs have ended` });
  }

  it('fails, with attempts left it is tried again, when some have not ended', async () => {
    refusals.set('parent', [Refusal.PendingChildren]);
    await queue.add('sum', {}, { jobId: 'parent', attempts: 2 });
    await queue.add('other', {}, { jobId: 'other' });
    work();
    await ends(3);

    expect(failed).toMatchObject([['parent', { code: 'LANE_UNFINISHED_CHILDREN', jobId: 'parent' }]]);
    expect(completed.sort()).toEqual(['other', 'parent']);
    expect(await queue.getJob('parent')).toMatchObject({ attemptsMade: 2, returnvalue: 'parent' });
    expect(errors).toEqual([]);
  });

  it('fails for good when some have not ended and no attempt is left', async () => {
    refusals.set('parent', [Refusal.PendingChildren]);
    await queue.add('sum', {}, { jobId: 'parent' });
    work();
    await ends(1);

    const job = await queue.getJob('parent');
    expect(job).toMatchObject({ attemptsMade: 1, returnvalue: null });
    expect(job?.failedReason).toMatch(/has children that are not done/);
    expect(await queue.getJobState('parent')).toBe('failed');
  });

  it('fails for good, whatever attempts are left, when one has failed', async () => {
    refusals.set('parent', [Refusal.FailedChildren]);
    await queue.add('sum', {}, { jobId: 'parent', attempts: 5 });
    work();
    await ends(1);

    expect(await queue.getJobState('parent')).toBe('failed');
    expect(failed[0]![1]).toBeInstanceOf(UnrecoverableError);
    expect(failed[0]![1].cause).toMatchObject({ code: 'LANE_FAILED_CHILDREN', jobId: 'parent' });
    expect((await queue.getJob('parent'))?.failedReason).toMatch(/has children that have failed/);
    expect(errors).toEqual([]);
  });

  it('is settled before its worker is closed', async () => {
    refusals.set('parent', [Refusal.FailedChildren]);
    let end = (): void => undefined;
    await queue.add('sum', {}, { jobId: 'parent' });
    const running = work(() => new Promise<void>((resolve) => (end = resolve)));
    await waitUntil(async () => (await queue.getJobState('parent')) === 'active', { reason: 'it runs' });

    const closed = running.close();
    end();
    await closed;

    expect(await queue.getJobState('parent')).toBe('failed');
  });

  it('is not looked after any more when its lease is lost meanwhile', async () => {
    await queue.add('sum', {}, { jobId: 'parent' });
    backend.alter('settleJobs', (real) => async (request, call) => {
      const [outcome] = request.outcomes;
      const reply = await real({ ...request, outcomes: [] }, call);
      const refusal = outcome?.kind === 'completed' ? Refusal.PendingChildren : Refusal.LeaseMissing;
      return { ...reply, refusals: request.outcomes.map(() => refusal) };
    });
    work();
    await waitUntil(() => errors.length > 0, { reason: 'the loss is reported' });

    expect(errors).toMatchObject([{ code: 'LANE_LEASE_LOST', jobId: 'parent' }]);
    expect(failed).toEqual([]);
  });
});
