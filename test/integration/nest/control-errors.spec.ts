import { describe, expect, it } from '@jest/globals';
import {
  DelayedError,
  type Job,
  LaneModule,
  OnWorkerEvent,
  Process,
  Processor,
  Queue,
  UnrecoverableError,
  WaitingError,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

/** As another package throws it. */
function copyOf(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

describe('control errors of @Process handlers', () => {
  it('NA-4-12 NA-4-14 move and fail jobs as they do without Nest, copies of BullMQ’s own too', async () => {
    const runs: string[] = [];
    const failures: string[] = [];

    @Processor('email')
    class EmailProcessor {
      @Process('later')
      async later(job: Job) {
        if (this.isFirstRun(job)) {
          await job.moveToDelayed(Date.now() + 5);
          throw new DelayedError();
        }
      }

      @Process('again')
      async again(job: Job) {
        if (this.isFirstRun(job)) {
          await job.moveToWait();
          throw new WaitingError();
        }
      }

      @Process('slower')
      slower(job: Job) {
        if (this.isFirstRun(job)) {
          throw copyOf('RateLimitError', 'bullmq:rateLimitExceeded');
        }
      }

      @Process('later, by BullMQ')
      async laterByBullMq(job: Job) {
        if (this.isFirstRun(job)) {
          await job.moveToDelayed(Date.now() + 5);
          throw copyOf('DelayedError', 'bullmq:movedToDelayed');
        }
      }

      @Process('again, by BullMQ')
      async againByBullMq(job: Job) {
        if (this.isFirstRun(job)) {
          await job.moveToWait();
          throw copyOf('WaitingError', 'bullmq:movedToWait');
        }
      }

      @Process('never')
      never(job: Job) {
        this.isFirstRun(job);
        throw new UnrecoverableError('never');
      }

      @OnWorkerEvent('failed')
      onFailed(job: Job, error: Error) {
        failures.push(`${job.name}: ${error.message}`);
      }

      private isFirstRun({ name }: Job): boolean {
        return runs.push(name) === runs.indexOf(name) + 1;
      }
    }

    const backend = memory();
    await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    const queue = new Queue('email', { backend });
    const jobs = await queue.addBulk(
      ['later', 'again', 'slower', 'later, by BullMQ', 'again, by BullMQ', 'never'].map((name) => ({
        name,
        data: {},
        opts: { attempts: 3 },
      })),
    );
    await waitUntil(
      async () => {
        const { completed, failed } = await queue.getJobCounts();
        return completed === 5 && failed === 1 && failures.length === 1;
      },
      { reason: 'all jobs have ended' },
    );

    const ended = await Promise.all(jobs.map(({ id }) => queue.getJob(id)));
    expect(ended.map((job) => [job!.name, job!.attemptsMade, job!.attemptsStarted])).toEqual([
      ['later', 1, 2],
      ['again', 1, 2],
      ['slower', 1, 2],
      ['later, by BullMQ', 1, 2],
      ['again, by BullMQ', 1, 2],
      ['never', 1, 1],
    ]);
    expect(failures).toEqual(['never: never']);
    await queue.close();
  });
});
