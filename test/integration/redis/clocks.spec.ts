import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({});
guardAgainstLeaks();

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a machine whose clock is not that of the server', () => {
  it.each([-3_600_000, 3_600_000])(
    'runs a delayed job in time, and asks no more for it: %p ms',
    async (off) => {
      const realNow = Date.now;
      jest.spyOn(Date, 'now').mockImplementation(() => realNow() + off);
      const backend = inRedis.backend();
      const queue = new Queue('mail', { backend });
      let ranAt = 0;
      const worker = new Worker('mail', () => (ranAt = realNow()), { backend });
      await queue.waitUntilReady();
      await inRedis.client.config('RESETSTAT');
      const addedAt = realNow();
      await queue.add('later', {}, { delay: 1_000 });
      await waitUntil(() => ranAt !== 0, { reason: 'the job has run' });

      expect(ranAt - addedAt).toBeGreaterThanOrEqual(995);
      const stats = await inRedis.client.info('commandstats');
      expect(Number(/cmdstat_bzpopmin:calls=(\d+)/.exec(stats)?.[1])).toBeLessThan(20);
      await Promise.all([worker.close(), queue.close()]);
    },
  );
});
