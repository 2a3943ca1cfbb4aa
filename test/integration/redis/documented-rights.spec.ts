import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { Queue, QueueEvents, Worker } from 'nestjs-lane/engine';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({});
guardAgainstLeaks();

describe('the rights of docs/guides/redis.md', () => {
  it('STORE-16 are enough for a queue, a worker and a listener, from their start to their close', async () => {
    const guide = readFileSync(join(process.cwd(), 'docs/guides/redis.md'), 'utf8');
    const [, rights] = /^ACL SETUSER lane on >secret ~bull:\* (.*)$/m.exec(guide)!;
    await inRedis.client.acl(
      'SETUSER',
      'lane',
      'on',
      '>secret',
      `~${inRedis.prefix}:*`,
      ...rights!.split(' '),
    );
    const backend = inRedis.backend({ url: inRedis.url.replace('redis://', 'redis://lane:secret@') });
    const queue = new Queue('mail', { backend });
    const worker = new Worker('mail', (job) => job.updateProgress(50), { backend, name: 'mailer' });
    const events = new QueueEvents('mail', { backend });
    const errors: Error[] = [];
    const onError = (error: Error): void => void errors.push(error);
    queue.on('error', onError);
    worker.on('error', onError);
    events.on('error', onError);
    const heard: string[] = [];
    events.on('completed', ({ jobId }) => heard.push(jobId));
    await events.waitUntilReady();

    await queue.add('send', {}, { jobId: 'now', priority: 1 });
    await queue.add('send', {}, { jobId: 'later', delay: 20, attempts: 2 });
    await waitUntil(() => heard.length === 2, { reason: 'both jobs are completed' });
    await queue.pause();
    await queue.resume();
    await queue.getJobs(['completed', 'waiting']);
    await queue.getJobCounts();
    expect(await queue.getWorkers()).toMatchObject([{ name: 'mailer' }]);
    await Promise.all([worker.close(), events.close()]);
    await queue.close();

    expect(errors).toEqual([]);
    // What a call was refused that nobody hears of, such as one that ends a wait.
    expect(await inRedis.client.acl('LOG')).toEqual([]);
  });
});
