import { describe, expect, it } from '@jest/globals';
import { Worker } from 'nestjs-lane/engine';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { completion, leaseOf } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

// Of its own, since it is made to forget scripts.
const inRedis = useRedis({});
guardAgainstLeaks();

const forget = (): Promise<unknown> => inRedis.client.script('FLUSH');

describe('a server that has forgotten the scripts', () => {
  it('is told them again by every call that needs one', async () => {
    const user = inRedis.open();
    await forget();
    await user.addIds('a', 'b');
    await forget();
    const claim = await user.claim(2);
    await forget();
    await user.renew([leaseOf(claim)]);
    await forget();
    await user.progress('a', '1');
    await forget();
    await user.recover();
    await forget();
    expect(await user.settle([completion(leaseOf(claim))], 1)).toMatchObject({ refusals: [null] });
    await forget();
    await user.pause();
    await forget();
    await user.resume();
    await forget();
    expect(await user.ids('completed')).toEqual(['a']);
    await forget();
    expect(await user.state('b')).toBe('active');
    await forget();
    expect(await user.job('a')).toMatchObject({ attemptsMade: 1, progress: '1' });
    await forget();

    expect(await user.handle.getCounts()).toMatchObject({ active: 1, completed: 1 });
  });

  it('is told them once: later calls name them', async () => {
    const user = inRedis.open();
    await forget();
    await user.add({});
    await inRedis.client.config('RESETSTAT');
    await user.add({});
    await user.add({});

    const calls = await inRedis.client.info('commandstats');
    expect(calls).toContain('cmdstat_evalsha:calls=2,');
    expect(calls).not.toContain('cmdstat_eval:');
  });

  it('runs every job once all the same', async () => {
    const runs = new Map<string, number>();
    const worker = new Worker('mail', (job) => void runs.set(job.id, (runs.get(job.id) ?? 0) + 1), {
      backend: inRedis.backend(),
      concurrency: 7,
    });
    const user = inRedis.open({ role: 'producer' });
    for (let batch = 0; batch < 20; batch += 1) {
      await Promise.all([user.add({}, {}, {}, {}, {}), forget()]);
    }
    await waitUntil(() => runs.size === 100, { reason: 'all jobs ran' });

    expect(new Set(runs.values())).toEqual(new Set([1]));
    await worker.close();
  });
});
