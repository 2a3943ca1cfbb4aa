import { afterEach, beforeEach, describe, it, jest } from '@jest/globals';

import { lasting } from '../support/lasting';
import { guardAgainstLeaks } from '../support/leak-guard';
import { redisUrl } from '../support/redis/redis-of-run.mjs';
import { TcpProxy } from '../support/tcp-proxy';
import { waitUntil } from '../support/wait-until';
import { useLoads, type Load } from './support/load';

jest.setTimeout(30_000);

const jobs = 1_500;
/** Longer than it takes a client to give up a connection that is silent. */
const longestSilence = 8_000;

describe('connections that fail under load', () => {
  const makeLoad = useLoads();
  let proxy: TcpProxy;
  let load: Load;

  beforeEach(async () => {
    const { hostname, port } = new URL(await redisUrl());
    proxy = await TcpProxy.start(Number(port), hostname);
    load = makeLoad(`redis://127.0.0.1:${proxy.port}`, await redisUrl());
  });

  afterEach(async () => {
    await load.closeAll();
    await proxy.stop();
  });

  /** Does the same again and again while jobs are added and run. */
  async function under(fault: () => Promise<unknown>): Promise<void> {
    load.work();
    load.work();
    let isAdding = true;
    const adding = load.add(jobs).finally(() => (isAdding = false));
    while (isAdding || load.completed < jobs / 2) {
      const { completed, added } = load;
      await fault();
      await waitUntil(() => load.completed > completed || load.added > added || load.added === jobs, {
        reason: 'something goes on after the fault',
        deadline: 10_000,
      });
      if (load.added === jobs) break;
    }
    await adding;
    load.expectAllAdded();
    await load.expectSound();
    load.expectFewErrors();
  }

  it('lose no job when they end before the request is there', async () => {
    await under(() => proxy.cutBeforeRequest({ holding: 'evalsha' }));
  });

  it('T-B09 lose no job, and store, run and complete none twice, when they end before the reply comes back', async () => {
    await under(() => proxy.cutBeforeReply({ holding: 'evalsha' }));
  });

  it('lose no job when all end at once, in whatever they are doing', async () => {
    await under(async () => proxy.cutAll());
  });

  it('lose no job when they are half open', async () => {
    load.work();
    const adding = load.add(jobs);
    await waitUntil(() => load.completed > 100, { reason: 'jobs run' });
    const { accepted } = proxy;
    proxy.holdOpen();
    await waitUntil(() => proxy.accepted > accepted + 1, {
      reason: 'producer and worker have new connections',
      deadline: longestSilence,
    });
    await adding;
    load.expectAllAdded();
    // The wait for work may have begun on a dead connection, which shows when its time is over.
    await load.expectSound({ deadline: longestSilence });
    load.expectFewErrors();
  });

  it('answer late, and each call takes effect once', async () => {
    load.work();
    const adding = load.add(jobs);
    for (let round = 1; round <= 3; round += 1) {
      await waitUntil(() => load.completed > 100 * round, { reason: 'jobs run' });
      proxy.holdReplies();
      await lasting(300);
      proxy.pass();
    }
    await adding;
    load.expectAllAdded();
    await load.expectSound();
    load.expectFewErrors();
  });

  it('answer when the client has given up, which changes nothing', async () => {
    load.work();
    const adding = load.add(jobs);
    await waitUntil(() => load.completed > 100, { reason: 'jobs run' });
    const { accepted } = proxy;
    proxy.holdReplies();
    await waitUntil(() => proxy.accepted > accepted, {
      reason: 'a client has given up',
      deadline: longestSilence,
    });
    proxy.pass();
    await adding;
    load.expectAllAdded();
    await load.expectSound({ deadline: 10_000 });
    load.expectFewErrors();
  });
});

describe('an idle worker whose connections are half open', () => {
  guardAgainstLeaks();
  const makeLoad = useLoads();

  it('runs a job within its wait and a little more', async () => {
    const { hostname, port } = new URL(await redisUrl());
    const proxy = await TcpProxy.start(Number(port), hostname);
    const load = makeLoad(`redis://127.0.0.1:${proxy.port}`, await redisUrl());
    try {
      const direct = load.queue(await redisUrl());
      const worker = load.work();
      const idle = new Promise((resolve) => worker.once('drained', () => resolve(undefined)));
      await load.add(1, direct);
      await idle;
      await waitUntil(() => proxy.open >= 2, { reason: 'the worker waits' });
      proxy.holdOpen();
      await load.add(2, direct);
      await waitUntil(() => load.completed === 2, { reason: 'the job has run', deadline: longestSilence });
      load.expectFewErrors();
    } finally {
      await load.closeAll();
      await proxy.stop();
    }
  });
});
