import { describe, expect, it } from '@jest/globals';

import { BlockingReads } from '../../../../lib/backends/redis/blocking-reads';
import type { RedisClient } from '../../../../lib/backends/redis/redis-client';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { ManualClock } from '../../../support/manual-clock';

guardAgainstLeaks();

/** A connection whose read is answered when the test says so. */
function connection() {
  const replaced: string[] = [];
  let answer: (value: string) => void = () => undefined;
  const client = {
    use: () => new Promise<string>((resolve) => (answer = resolve)),
    replace: () => replaced.push('replaced'),
  };
  return { client: client as unknown as RedisClient, replaced, answer: (value: string) => answer(value) };
}

describe('a read that waits on the server', () => {
  it('is ended by a message', async () => {
    const { client, answer, replaced } = connection();
    const messages: string[] = [];
    const reads = new BlockingReads(client, new ManualClock(), async () => {
      messages.push('end');
      answer('message');
    });
    const read = reads.read(1_000, () => Promise.resolve('unused'));

    reads.end();

    await expect(read).resolves.toBe('message');
    expect([messages, replaced]).toEqual([['end'], []]);
  });

  it('is not ended where there is none, so that the next one is left alone', async () => {
    const { client, answer, replaced } = connection();
    const messages: string[] = [];
    const reads = new BlockingReads(client, new ManualClock(), async () => void messages.push('end'));
    reads.end();
    const read = reads.read(1_000, () => Promise.resolve('unused'));
    answer('first');
    await read;

    reads.end();

    expect([messages, replaced]).toEqual([[], []]);
  });
});
