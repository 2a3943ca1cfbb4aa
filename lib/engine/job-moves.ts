/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { DelayChange, FinishedState, JobRetry, PriorityChange } from '../contract/job-moves';
import { MAX_BATCH_SIZE } from '../contract/mutating-call';
import type { Duration } from '../model/duration';
import { checkFlag } from '../model/flag';
import { checkPriority, parseDelay } from '../model/job-options';
import { refuseUnknownOptions } from '../model/option-names';
import { JobGetters } from './job-getters';
import type { JobChange } from './job-owner';
import { checkFinishedState } from './queue-arguments';

/**
 * What `changePriority` is given.
 *
 * @public
 */
export interface PriorityOptions {
  /** 0 to 2097151; lower runs first, and 0 before all others. Default 0. */
  priority?: number;
  /** Goes before the jobs of its new priority, rather than behind them. Default `false`. */
  lifo?: boolean;
}

/**
 * What `retry` forgets of a job.
 *
 * @public
 */
export interface RetryOptions {
  /** Counts attempts from 0 again, so that all of them are left. Default `false`: a failure is for good. */
  resetAttemptsMade?: boolean;
  /** Counts from 0 again how often a worker took the job. Default `false`. */
  resetAttemptsStarted?: boolean;
}

/** Brings the store's time. */
const PROMOTE: JobChange<{ readonly id: string }, number> = {
  name: 'promote',
  rule: () => 'promote takes delayed jobs',
  sizeOf: ({ id }) => id.length,
  async send(backend, items, call) {
    const reply = await backend.promoteJobs({ ids: items.map(({ id }) => id) }, call);
    return { ...reply, results: items.map(() => reply.now) };
  },
};

/** Brings the store's time. */
const CHANGE_DELAY: JobChange<DelayChange, number> = {
  name: 'changeDelay',
  rule: () => 'changeDelay takes delayed jobs',
  sizeOf: ({ id }) => id.length,
  async send(backend, changes, call) {
    const reply = await backend.changeDelays({ changes }, call);
    return { ...reply, results: changes.map(() => reply.now) };
  },
};

/** On Redis a job is looked for among all that wait, for which others should not have to wait long. */
const MOST_PRIORITY_CHANGES = 10;

const CHANGE_PRIORITY: JobChange<PriorityChange> = {
  name: 'changePriority',
  sizeOf: () => MAX_BATCH_SIZE / MOST_PRIORITY_CHANGES,
  send: (backend, changes, call) => backend.changePriorities({ changes }, call),
};

const RETRY: JobChange<JobRetry> = {
  name: 'retry',
  rule: ({ state }) => `retry takes ${state} jobs here`,
  sizeOf: ({ id }) => id.length,
  send: (backend, retries, call) => backend.retryJobs({ retries }, call),
};

/**
 * The part of a `Job` that moves it by hand.
 *
 * @internal
 */
export abstract class JobMoves<Data = any, Result = any, Name extends string = string> extends JobGetters<
  Data,
  Result,
  Name
> {
  /**
   * Makes a delayed job ready now, behind the jobs of its priority.
   *
   * @throws JobNotFoundError when the queue does not hold the job any more, WrongJobStateError unless it is delayed
   */
  async promote(): Promise<void> {
    this.#heldBack(await this.owner.change(PROMOTE, { id: this.id }), 0);
  }

  /**
   * Holds a delayed job back until another time, sooner or later than before.
   *
   * @param delay - how long from now; a bare number is milliseconds. With 0 it is due at once.
   * @throws InvalidDelayError for a bad delay
   * @throws JobNotFoundError when the queue does not hold the job any more, WrongJobStateError unless it is delayed
   */
  async changeDelay(delay: Duration): Promise<void> {
    const change = { id: this.id, delay: parseDelay(delay) };
    this.#heldBack(await this.owner.change(CHANGE_DELAY, change), change.delay);
  }

  /**
   * Gives the job another priority, in any state. A job that is ready goes to that priority at once, behind the jobs
   * there or before them; for others it counts once they are made ready. The options of the job stay as they were added.
   *
   * On Redis the time that it takes grows with the number of jobs that wait without a priority.
   *
   * @throws InvalidOptionsError, UnknownOptionError, InvalidPriorityError or InvalidFlagError for bad options
   * @throws JobNotFoundError when the queue does not hold the job any more
   */
  async changePriority(options: PriorityOptions): Promise<void> {
    refuseUnknownOptions('changePriority', options, ['priority', 'lifo']);
    const { priority = 0, lifo = false } = options;
    checkPriority(priority);
    checkFlag('lifo', lifo);
    await this.owner.change(CHANGE_PRIORITY, { id: this.id, priority, lifo });
    this.record.priority = priority;
  }

  /**
   * Has a finished job run again: it is made ready, behind the jobs of its priority, or before all without a priority
   * if it was added with `lifo`. Its stacks are kept, and so are its attempts unless they are reset: without that a
   * further failure is for good. A child of a flow of BullMQ is awaited by its parent again.
   *
   * @param state - how it ended; default `failed`
   * @throws UnknownJobStateError, InvalidOptionsError, UnknownOptionError or InvalidFlagError for bad arguments
   * @throws JobNotFoundError when the queue does not hold the job any more, WrongJobStateError unless it ended so
   */
  async retry(state: FinishedState = 'failed', options: RetryOptions = {}): Promise<void> {
    checkFinishedState(state);
    refuseUnknownOptions('retry', options, ['resetAttemptsMade', 'resetAttemptsStarted']);
    const { resetAttemptsMade = false, resetAttemptsStarted = false } = options;
    checkFlag('resetAttemptsMade', resetAttemptsMade);
    checkFlag('resetAttemptsStarted', resetAttemptsStarted);
    const lifo = this.opts.lifo === true;
    await this.owner.change(RETRY, { id: this.id, state, lifo, resetAttemptsMade, resetAttemptsStarted });
    const { record } = this;
    record.processedOn = null;
    record.finishedOn = null;
    record.expiresAt = null;
    record.unhandled = 0;
    if (state === 'completed') {
      record.returnValue = null;
    } else {
      record.failedReason = null;
      record.failedCode = null;
    }
    record.attemptsMade = resetAttemptsMade ? 0 : record.attemptsMade;
    record.attemptsStarted = resetAttemptsStarted ? 0 : record.attemptsStarted;
  }

  /** It is to run after a delay from now. Its time to be started begins then. */
  #heldBack(now: number, delay: number): void {
    const { record } = this;
    record.delay = delay;
    if (record.expiresIn !== null && record.expiresAt !== null && record.attemptsStarted === 0) {
      record.expiresAt = now + delay + record.expiresIn;
    }
  }
}
