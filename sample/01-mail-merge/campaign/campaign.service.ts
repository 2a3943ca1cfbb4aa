import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectQueue, ofType } from 'nestjs-lane';
import { Queue, type QueueEvent } from 'nestjs-lane/engine';
import { ReplaySubject, exhaustMap, firstValueFrom, interval, startWith, switchMap } from 'rxjs';

import { MAIL_QUEUE, type MailJob, type MailReceipt } from '../delivery/mail-job';
import type { Campaign } from './campaign.planner';
import { ProgressDisplay } from './progress.display';
import type { Summary } from './summary';
import { Tally } from './tally';

/** After so many milliseconds without an event the queue is asked how the jobs stand. */
const QUIET = 2_000;

/**
 * Adds a job for each recipient, and follows the jobs until the last one has ended or the application stops.
 *
 * They may run here or in another process that shares the queue; so it is the queue that says what became of them.
 */
@Injectable()
export class CampaignService implements BeforeApplicationShutdown {
  private tally = new Tally([]);
  private readonly over$ = new ReplaySubject<void>(1);

  constructor(
    @InjectQueue(MAIL_QUEUE) private readonly queue: Queue<MailJob, MailReceipt>,
    private readonly progress: ProgressDisplay,
  ) {}

  async run(campaign: Campaign): Promise<Summary> {
    const tally = (this.tally = new Tally(campaign.jobs.keys()));
    const start = performance.now();

    this.progress.start(tally);
    // First listen, then add: what happens from here on is seen.
    const following = this.queue.events$
      .pipe(ofType('completed', 'failed'))
      .subscribe((event) => this.take(event));
    await this.addJobs(campaign.jobs);
    following.add(this.askWhenQuiet());
    await firstValueFrom(this.over$);
    following.unsubscribe();
    this.progress.stop();

    return { ...campaign, tally, seconds: (performance.now() - start) / 1_000 };
  }

  /** The workers have stopped, the queue is still open: the moment to count what they finished. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.askForPending().catch(() => {}); // An unreachable queue: then they count as left.
    this.over$.next();
  }

  private async addJobs(jobs: Map<string, MailJob>): Promise<void> {
    const added = await this.queue.addBulk(
      [...jobs].map(([jobId, data]) => ({ name: 'send', data, opts: { jobId } })),
    );
    // A job that an earlier run has finished comes back as it stands; no event will tell of it.
    for (const job of added) {
      if (job.finishedOn !== undefined) this.tally.countAlreadySent(job.id);
    }
    this.tallyChanged();
  }

  private take(event: Extract<QueueEvent, { type: 'completed' | 'failed' }>): void {
    if (!this.tally.pending.has(event.jobId)) return;
    if (event.type === 'completed') {
      this.tally.countSent(event.jobId, (event.returnvalue as MailReceipt).attempts);
    } else {
      this.tally.countFailed(event.jobId, event.failedReason);
    }
    this.tallyChanged();
  }

  /** The events tell all there is to know, unless a server lost some of them. */
  private askWhenQuiet() {
    return this.queue.events$
      .pipe(
        startWith(undefined),
        switchMap(() => interval(QUIET)),
        exhaustMap(() => this.askForPending().catch(() => {})),
      )
      .subscribe();
  }

  private async askForPending(): Promise<void> {
    await Promise.all(
      [...this.tally.pending].map(async (id) => {
        const job = await this.queue.getJob(id);
        if (!job) this.tally.countFailed(id, 'it is no longer in the queue');
        else if (job.returnvalue) this.tally.countSent(id, job.returnvalue.attempts);
      }),
    );
    this.tallyChanged();
  }

  private tallyChanged(): void {
    this.progress.update();
    if (this.tally.pending.size === 0) this.over$.next();
  }
}
