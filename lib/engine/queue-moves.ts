/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { MAX_MOVED, type FinishedState, type MoveStateReply } from '../contract/job-moves';
import type { MutatingCall } from '../contract/mutating-call';
import type { QueueBackend } from '../contract/queue-backend';
import type { JobState } from '../model/job-state';
import { refuseUnknownOptions } from '../model/option-names';
import { checkFinishedState, checkLimit } from './queue-arguments';
import type { Job } from './job';
import { QueueJobData } from './queue-job-data';

/**
 * How `promoteJobs` goes about it.
 *
 * @public
 */
export interface PromoteJobsOptions {
  /** Jobs that are moved in one step, 1 to 1,000; more are taken for 1,000. Default 1,000. */
  count?: number;
}

/**
 * Which jobs `retryJobs` has run again, and how it goes about it.
 *
 * @public
 */
export interface RetryJobsOptions {
  /** How they ended. Default `failed`. */
  state?: FinishedState;
  /** Jobs that are moved in one step, 1 to 1,000; more are taken for 1,000. Default 1,000. */
  count?: number;
  /** Those that ended later stay; in milliseconds since 1970. Default: none of them. */
  timestamp?: number;
}

/**
 * The part of a `Queue` that moves all jobs of a state by hand. It works in steps, between which others get their turn;
 * when one fails, those before it have taken effect, and the call can be made again.
 *
 * @internal
 */
export abstract class QueueMoves<AnyJob extends Job = Job, Result = any> extends QueueJobData<
  AnyJob,
  Result
> {
  /**
   * Makes all delayed jobs ready now, each behind the jobs of its priority, those that are due first before the others.
   * As many are moved as were delayed when it began.
   *
   * @returns how many
   * @throws InvalidOptionsError, UnknownOptionError or InvalidLimitError for bad options
   */
  async promoteJobs(options: PromoteJobsOptions = {}): Promise<number> {
    refuseUnknownOptions('promoteJobs', options, ['count']);
    const { count = MAX_MOVED } = options;
    checkLimit('count', count, 1);
    return this.#moveAll('promoteJobs', 'delayed', count, (backend, step, call) =>
      backend.promoteDelayedJobs({ count: step }, call),
    );
  }

  /**
   * Has all finished jobs of one kind run again, those that ended first before the others, each behind the jobs of its
   * priority. As many are moved as had ended when it began. See `job.retry()`; attempts are not reset, and jobs that
   * were added with `lifo` go behind the others too.
   *
   * @returns how many
   * @throws InvalidOptionsError, UnknownOptionError, UnknownJobStateError or InvalidLimitError for bad options
   */
  async retryJobs(options: RetryJobsOptions = {}): Promise<number> {
    refuseUnknownOptions('retryJobs', options, ['state', 'count', 'timestamp']);
    const { state = 'failed', count = MAX_MOVED, timestamp } = options;
    checkFinishedState(state);
    checkLimit('count', count, 1);
    if (timestamp !== undefined) {
      checkLimit('timestamp', timestamp, 0);
    }
    const until = timestamp ?? null;
    return this.#moveAll('retryJobs', state, count, (backend, step, call) =>
      backend.retryFinishedJobs({ state, count: step, until }, call),
    );
  }

  /** Jobs that come into the state again meanwhile would be moved without an end: their number is fixed before. */
  async #moveAll(
    name: string,
    state: JobState,
    count: number,
    move: (backend: QueueBackend, step: number, call: MutatingCall) => Promise<MoveStateReply>,
  ): Promise<number> {
    const { backend } = await this.use(name);
    const most = (await backend.getCounts())[state];
    let moved = 0;
    for (let more = most > 0; more && moved < most;) {
      const step = Math.min(count, MAX_MOVED, most - moved);
      const reply = await this.command(name, (handle, call) => move(handle, step, call));
      moved += reply.moved;
      more = reply.more;
    }
    return moved;
  }
}
