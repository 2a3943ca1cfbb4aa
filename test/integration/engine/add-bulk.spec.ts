import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreReadOnlyError } from 'nestjs-lane/contract';
import { Queue } from 'nestjs-lane/engine';
import { memory } from 'nestjs-lane/memory';

import { AlteredBackend } from '../../support/altered-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';

guardAgainstLeaks();

describe('addBulk of a store that fails', () => {
  let backend: AlteredBackend;
  let queue: Queue;

  beforeEach(() => {
    backend = new AlteredBackend(memory());
    queue = new Queue('email', { backend, addTimeout: 500 });
  });

  afterEach(async () => {
    await queue.close();
  });

  const failure = (): StoreReadOnlyError => new StoreReadOnlyError('memory');
  const manyJobs = Array.from({ length: 250 }, (_, index) => ({ name: 'send', data: index }));

  /** The store carries out the first call, and no further one. */
  function failAfterFirstCall(): void {
    let calls = 0;
    backend.alter('addJobs', (addJobs) => (request, call) => {
      calls += 1;
      return calls === 1 ? addJobs(request, call) : Promise.reject(failure());
    });
  }

  it('T-B51 tells of each job whether it is stored', async () => {
    failAfterFirstCall();

    const error = (await queue.addBulk(manyJobs).catch((thrown: unknown) => thrown)) as {
      results: { job?: { id: string; data: unknown }; error?: { code: string } }[];
    };

    expect(error).toMatchObject({ code: 'LANE_JOBS_NOT_ADDED', cause: { code: 'LANE_STORE_READ_ONLY' } });
    expect((error as unknown as Error).message).toContain('Of 250 jobs 50 were not added');
    expect(error.results.map(({ job, error }) => job?.id ?? error?.code)).toEqual(
      manyJobs.map((_, index) => (index < 200 ? String(index + 1) : 'LANE_STORE_READ_ONLY')),
    );
    expect(error.results.slice(0, 200).map(({ job }) => job!.data)).toEqual(
      manyJobs.slice(0, 200).map(({ data }) => data),
    );
    expect(await queue.count()).toBe(200);
  });

  it('T-B51 adds all or nothing when told so, and tells the error itself', async () => {
    failAfterFirstCall();

    await expect(queue.addBulk(manyJobs, { atomic: true })).resolves.toHaveLength(250);
    await expect(queue.addBulk(manyJobs, { atomic: true })).rejects.toMatchObject({
      code: 'LANE_STORE_READ_ONLY',
    });
    expect(await queue.count()).toBe(250);
  });

  it('tells of a job that is stored already, when it cannot be read', async () => {
    await queue.add('send', 1, { jobId: 'mine' });
    backend.alter('getJobs', () => () => Promise.reject(failure()));

    await expect(
      queue.addBulk([
        { name: 'send', data: 2 },
        { name: 'send', data: 3, opts: { jobId: 'mine' } },
      ]),
    ).rejects.toMatchObject({
      code: 'LANE_JOBS_NOT_ADDED',
      results: [{ job: { data: 2 } }, { error: { code: 'LANE_STORE_READ_ONLY' } }],
    });
  });
});
