import type { Job as TheirJob, Queue as TheirQueue } from 'bullmq-6';

import { waitUntil } from '../../../support/wait-until';
import type { Party } from './bullmq';
import type { CommonGround, CommonJobOptions, Handler } from './common-ground';

/** A queue with jobs of one party, which the other manages. */
export class ManagementStage {
  /** The queue by which jobs are managed. What both have is typed by BullMQ 6. */
  readonly manager: TheirQueue;
  /** The queue by which the other party looks at what has become of its jobs. */
  readonly owner: TheirQueue;
  readonly ran: string[] = [];

  constructor(
    readonly ground: CommonGround,
    private readonly party: Party,
    manager: Party,
  ) {
    [this.owner, this.manager] = [party, manager].map((each) =>
      each === 'ours' ? (ground.ourQueue('work') as unknown as TheirQueue) : ground.theirQueue(each, 'work'),
    ) as [TheirQueue, TheirQueue];
  }

  async add(...jobs: [id: string, opts?: CommonJobOptions][]): Promise<void> {
    for (const [jobId, opts] of jobs) {
      await this.owner.add(jobId, { of: 'owner' }, { jobId, ...opts } as object);
    }
  }

  async job(id: string): Promise<TheirJob> {
    return (await this.manager.getJob(id))!;
  }

  work(handler: Handler = () => 'done', concurrency = 1): void {
    const run: Handler = (job, token) => {
      this.ran.push(job.id!);
      return handler(job, token);
    };
    this.ground.work(this.party, 'work', run, { concurrency, drainDelay: 1 });
  }

  /** Has the owner run all that can run. */
  async runAll(handler?: Handler): Promise<void> {
    this.work(handler);
    await this.ground.untilIdle('work');
    await this.ground.stopWorkers();
  }

  async runs(count: number): Promise<void> {
    await waitUntil(() => this.ran.length === count, { reason: `${count} have run` });
  }

  /** A job that the owner has taken by hand. */
  async take(token: string): Promise<TheirJob> {
    const hands =
      this.party === 'ours' ? this.ground.ourHands('work') : this.ground.theirHands(this.party, 'work');
    const taken = (await hands.getNextJob(token)) as { id?: string };
    return this.job(taken.id!);
  }

  state(id: string): Promise<string> {
    return this.owner.getJobState(id);
  }

  stored(id: string, ...fields: string[]): Promise<(string | null)[]> {
    return this.ground.redis.hmget(this.ground.key('work', id), ...fields);
  }
}
