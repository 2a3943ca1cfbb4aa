import { describe, expect, it } from '@jest/globals';
import { LaneModule, type LaneModuleOptions, Process, Processor, Queue } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Processor('email')
class OldProcessor {
  @Process('send')
  send() {}

  @Process('digest')
  digest() {}
}

@Processor('email')
class NewProcessor {
  @Process('welcome')
  welcome() {
    return 'welcomed';
  }
}

const start = (processor: new () => object, options: LaneModuleOptions, logger = new RecordingLogger()) =>
  apps.start(
    { imports: [LaneModule.forRoot(options), LaneModule.registerQueue('email')], providers: [processor] },
    { logger },
  );

async function heldBack(queue: Queue, id: string, times: number): Promise<number> {
  return waitUntil(
    async () => {
      const job = await queue.getJob(id);
      return job?.unhandled === times && (await job.isDelayed()) ? job.delay : undefined;
    },
    { reason: `the job is held back for the ${times}. time` },
  );
}

describe('a job whose name no handler takes', () => {
  it('NA-4-04 is held back with growing delay and no attempt used, by whatever process, and fails after ten tries', async () => {
    const backend = memory();
    const queue = new Queue('email', { backend });
    const { id } = await queue.add('welcome', {}, { attempts: 3 });
    const delays: number[] = [];
    const first = await start(OldProcessor, { backend });
    for (let times = 1; times <= 5; times += 1) {
      delays.push(await heldBack(queue, id, times));
      await (await queue.getJob(id))!.promote();
    }
    await first.close();
    const second = await start(OldProcessor, { backend });
    for (let times = 6; times <= 10; times += 1) {
      delays.push(await heldBack(queue, id, times));
      const job = (await queue.getJob(id))!;
      expect(job.attemptsMade).toBe(0);
      await job.promote();
    }
    const job = await waitUntil(
      async () => {
        const read = await queue.getJob(id);
        return read?.finishedOn === undefined ? undefined : read;
      },
      { reason: 'it has failed' },
    );

    expect(delays.map((delay) => Math.round(delay / 1_000))).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    expect(job).toMatchObject({ attemptsMade: 1, failedCode: 'no-handler' });
    expect(job.failedReason).toContain('Handlers exist for: send, digest.');
    await second.close();
    await queue.close();
  });

  it('runs where there is one, as in a newer release', async () => {
    const backend = memory();
    const queue = new Queue('email', { backend });
    const old = await start(OldProcessor, { backend });
    const job = await queue.add('welcome', {});
    await heldBack(queue, job.id, 1);
    await old.close();

    await start(NewProcessor, { backend });
    await job.promote();

    expect(await ended(queue, job)).toMatchObject({ returnvalue: 'welcomed', attemptsMade: 1 });
    await queue.close();
  });

  it('is told of in the log, once for each name, with those that have a handler', async () => {
    const backend = memory();
    const logger = new RecordingLogger();
    await start(OldProcessor, { backend }, logger);
    const queue = new Queue('email', { backend });

    const jobs = await queue.addBulk(['welcome', 'welcome', 'goodbye'].map((name) => ({ name, data: {} })));
    await Promise.all(jobs.map(({ id }) => heldBack(queue, id, 1)));

    const told = (name: string): string =>
      `Queue "email": no handler takes job "${name}"; such jobs are held back, since another process may have one. ` +
      "Handlers exist for: send, digest. With unknownJob: 'fail' they fail at once.";
    expect(logger.messages('warn')).toEqual([told('welcome'), told('goodbye')]);
    await queue.close();
  });

  it('NA-4-05 fails at once where the defaults of its connection say so', async () => {
    const backend = memory();
    await start(OldProcessor, { backend, defaults: { worker: { unknownJob: 'fail' } } });
    const queue = new Queue('email', { backend });

    const job = await ended(queue, await queue.add('welcome', {}, { attempts: 3 }));

    expect(job).toMatchObject({ attemptsMade: 1, attemptsStarted: 1, failedCode: 'no-handler' });
    await queue.close();
  });

  it('stops the start with an option that says neither', async () => {
    await expect(
      start(OldProcessor, { defaults: { worker: { unknownJob: 'ignore' as 'fail' } } }),
    ).rejects.toThrow('Option "unknownJob" is "ignore"; it must be "release" or "fail".');
  });
});
