/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { Observable } from 'rxjs';

import { durationToMillis, type Duration } from '../model/duration';
import { InvalidQueueEventsError } from '../model/errors/invalid-queue-events.error';
import type { JobState } from '../model/job-state';
import { refuseUnknownOptions } from '../model/option-names';
import { finishOf, progressOf, resultOf, type WatchedJob } from './events/job-result';
import { isQueueEvents, type QueueEvents } from './events/queue-events';
import type { JobOwner } from './job-owner';
import { JobView } from './job-view';

/**
 * How long to wait for the end of a job.
 *
 * @public
 */
export interface FinishedOptions {
  /** Ends the wait: it rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Longest wait; a bare number is milliseconds. Default: until the job ends. */
  timeout?: Duration;
}

/**
 * What can be asked of a job: where it stands now, and what comes.
 *
 * @internal
 */
export abstract class JobGetters<Data = any, Result = any, Name extends string = string> extends JobView<
  Data,
  Result,
  Name
> {
  /** Where the job stands now, or `unknown` when the queue does not hold it (any more). */
  async getState(): Promise<JobState | 'unknown'> {
    return (await this.owner.fetchState(this.id)) ?? 'unknown';
  }

  /** Whether the job ended well. */
  async isCompleted(): Promise<boolean> {
    return (await this.getState()) === 'completed';
  }

  /** Whether the job failed for good. */
  async isFailed(): Promise<boolean> {
    return (await this.getState()) === 'failed';
  }

  /** Whether the job waits for its time. */
  async isDelayed(): Promise<boolean> {
    return (await this.getState()) === 'delayed';
  }

  /** Whether a worker has the job. */
  async isActive(): Promise<boolean> {
    return (await this.getState()) === 'active';
  }

  /** Whether the job is ready to run, with a priority or without. */
  async isWaiting(): Promise<boolean> {
    const state = await this.getState();
    return state === 'waiting' || state === 'prioritized';
  }

  /** Whether the job waits for its children, in a flow that a client of BullMQ made. */
  async isWaitingChildren(): Promise<boolean> {
    return (await this.getState()) === 'waiting-children';
  }

  /**
   * Progress of the job: the last known value first, then each further one. Completes when the job ends, in any way,
   * or is not there (any more); never errors. A value that was being told when the subscription began may come twice.
   */
  get progress$(): Observable<unknown> {
    return progressOf(this.#watched(this.owner));
  }

  /**
   * The result of the job, as one value, at once when it has ended already. Errors with JobFailedError when the job fails
   * for good, with JobCancelledError when it is cancelled, and with JobRemovedError when it is not there (any more).
   * Completes without a value when the queue or worker that it came from is closed before.
   */
  get result$(): Observable<Result> {
    return resultOf(this.#watched(this.owner));
  }

  /**
   * Waits for the result of the job, which may have ended already.
   *
   * @param options - `signal` ends the wait, and so does `timeout`, a duration whose bare number is milliseconds; by
   * default it lasts until the job ends. The job is not touched.
   * @throws JobFailedError when the job fails for good, JobCancelledError when it is cancelled, JobRemovedError when it
   * is not there (any more)
   * @throws WaitTimeoutError when it has not ended in time, the reason of the signal when that is aborted,
   * QueueClosedError when the queue or worker that it came from is closed
   * @throws UnknownOptionError, InvalidOptionsError or InvalidDurationError
   */
  async finished(options: FinishedOptions = {}): Promise<Result> {
    refuseUnknownOptions('finished', options, ['signal', 'timeout']);
    const { signal, timeout } = options;
    return finishOf(this.#watched(this.owner), {
      clock: this.owner.clock,
      timeout: timeout === undefined ? undefined : durationToMillis('timeout', timeout),
      signal,
      call: 'finished',
      listener: this.owner.description,
    });
  }

  /**
   * Waits for the result of the job as BullMQ does, by a listener of its queue. `finished()` needs no listener.
   *
   * @param queueEvents - of the job's queue
   * @param ttl - longest wait; a bare number is milliseconds. By default, and for 0, it lasts until the job ends.
   * @throws what `finished` throws; QueueClosedError when the listener is closed
   * @throws InvalidQueueEventsError for anything but a listener of the job's queue
   */
  async waitUntilFinished(queueEvents: QueueEvents, ttl: Duration = 0): Promise<Result> {
    const millis = durationToMillis('ttl', ttl);
    if (!isQueueEvents(queueEvents)) {
      throw new InvalidQueueEventsError(queueEvents, this.queueName);
    }
    if (queueEvents.name !== this.queueName) {
      throw new InvalidQueueEventsError(queueEvents.name, this.queueName);
    }
    return finishOf(this.#watched(queueEvents), {
      clock: this.owner.clock,
      timeout: millis === 0 ? undefined : millis,
      signal: undefined,
      call: 'waitUntilFinished',
      listener: `QueueEvents "${queueEvents.name}"`,
    });
  }

  #watched(by: Pick<JobOwner, 'watch'>): WatchedJob {
    const { id, queueName } = this;
    return { id, queueName, watch: (watcher) => by.watch(id, watcher) };
  }
}
