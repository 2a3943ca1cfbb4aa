/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { CancelAnswer } from '../contract/job-cancelling';
import { MAX_REMOVED } from '../contract/job-removal';
import { refusalError } from '../contract/refusal';
import { cancelledText, checkCancelReason } from '../model/cancel-reason';
import { durationToMillis, type Duration } from '../model/duration';
import { JobLeasedError } from '../model/errors/job-leased.error';
import { JobNotFoundError } from '../model/errors/job-not-found.error';
import { checkFlag } from '../model/flag';
import { checkStoredJobId } from '../model/job-id';
import { refuseUnknownOptions } from '../model/option-names';
import { CANCEL_JOBS } from './job-cancelling';
import { removeJob, type RemoveOptions } from './job-removing';
import { checkLimit, cleanStateOf, type CleanType } from './queue-arguments';
import type { Job } from './job';
import { QueueMoves } from './queue-moves';

/**
 * How `obliterate` goes about it.
 *
 * @public
 */
export interface ObliterateOptions {
  /** Removes active jobs too, under their workers' hands. Default `false`. */
  force?: boolean;
  /** Jobs that are removed in one step, 1 to 250; more are taken for 250. Default 250. */
  count?: number;
}

/**
 * The part of a `Queue` that looks after many jobs at once. It works in steps of some hundred jobs, between which others
 * get their turn; what is left when one fails is intact, and the call can be made again.
 *
 * @internal
 */
export abstract class QueueMaintenance<AnyJob extends Job = Job, Result = any> extends QueueMoves<
  AnyJob,
  Result
> {
  /**
   * Removes a job, in any state, and all that is kept of it. See `job.remove()`, which throws where this answers 0.
   *
   * @returns 1 when it was removed; 0 when the queue does not hold it, or a worker has it or a job below it
   * @throws InvalidJobIdError when the id is no text
   * @throws OutstandingIterationError for the job that a scheduler of BullMQ goes on from
   */
  async remove(id: string, options: RemoveOptions = {}): Promise<0 | 1> {
    checkStoredJobId(id);
    await this.use('remove');
    try {
      await removeJob(this.owner, id, options, 'remove');
      return 1;
    } catch (error) {
      if (error instanceof JobNotFoundError || error instanceof JobLeasedError) {
        return 0;
      }
      throw error;
    }
  }

  /**
   * Cancels a job, wherever it is, in whatever process.
   *
   * One that waits to be run, or for its time, fails at once. One that a worker runs has its signal aborted there within a
   * second, with a JobCancelledError: it fails when its handler throws, and completes if that returns all the same. In
   * either case the job has the code `cancelled` and is not tried again. A parent of a flow of BullMQ that waits for its
   * children fails too; these go on.
   *
   * @param reason - becomes a part of the job's `failedReason`, and of the error
   * @returns `ended`: it has failed; `requested`: the worker that runs it is told; `unreachable`: somebody has it who cannot
   * be told, such as a worker of BullMQ or who fetched it by hand. Then the request is noted with the job, which fails
   * where it would be tried again by a worker of this package, or have failed.
   * @throws InvalidJobIdError when the id is no text, InvalidReasonError when the reason is not
   * @throws JobNotFoundError when the queue does not hold the job, WrongJobStateError when it has finished
   * @throws OutstandingIterationError for a job that waits and that a scheduler of BullMQ goes on from
   */
  async cancel(id: string, reason?: string): Promise<CancelAnswer> {
    checkStoredJobId(id);
    const text = cancelledText(checkCancelReason(reason));
    await this.use('cancel');
    return this.owner.change(CANCEL_JOBS, { id, reason: text });
  }

  /**
   * Removes jobs of one state that are older than a time: finished ones since they ended, others since a worker last
   * took them, prioritized and new ones since they were added. Leased jobs are kept, and those that schedulers of BullMQ
   * go on from.
   *
   * @param grace - how old; a bare number is milliseconds
   * @param limit - most jobs to remove, the oldest or next to run first; 0 for all
   * @param type - which state; `paused` means those that wait, while the queue is paused
   * @returns ids of the removed jobs
   * @throws InvalidDurationError, InvalidLimitError, or UnknownJobStateError
   */
  async clean(grace: Duration, limit: number, type: CleanType = 'completed'): Promise<string[]> {
    const age = durationToMillis('grace', grace);
    checkLimit('limit', limit, 0);
    const state = cleanStateOf(type);
    const { backend } = await this.use('clean');
    // One time for all steps: otherwise jobs that end meanwhile would be removed without an end.
    const before = (await backend.time()) - Math.ceil(age);
    const most = limit === 0 ? Infinity : limit;
    const ids: string[] = [];
    let kept = 0;
    for (let more = true; more && ids.length < most;) {
      const step = { state, before, kept, limit: Math.min(most - ids.length, MAX_REMOVED) };
      const reply = await this.command('clean', (handle, call) => handle.cleanJobs(step, call));
      ids.push(...reply.removed);
      ({ kept, more } = reply);
      await nextTurn();
    }
    this.emit('cleaned', ids, type);
    return ids;
  }

  /**
   * Removes all jobs that wait to be run, prioritized ones included. Active and finished jobs stay, as do jobs that
   * schedulers of BullMQ go on from.
   *
   * @param delayed - whether delayed jobs go as well
   * @throws InvalidFlagError
   */
  async drain(delayed = false): Promise<void> {
    checkFlag('delayed', delayed);
    let kept = 0;
    for (let more = true; more;) {
      const step = { delayed, kept };
      const reply = await this.command('drain', (handle, call) => handle.drainQueue(step, call));
      ({ kept, more } = reply);
      await nextTurn();
    }
  }

  /**
   * Destroys the queue: pauses it, then removes all its jobs, its events, the ids that it has counted, and at last the
   * pause. It can be used again, as a new one.
   *
   * @throws QueueActiveError when jobs are active, unless forced; the queue stays paused then
   * @throws QueueNotPausedError when somebody resumes it meanwhile
   * @throws InvalidOptionsError, UnknownOptionError, InvalidFlagError or InvalidLimitError for bad options
   */
  async obliterate(options: ObliterateOptions = {}): Promise<void> {
    refuseUnknownOptions('obliterate', options, ['force', 'count']);
    const { force = false, count = MAX_REMOVED } = options;
    checkFlag('force', force);
    checkLimit('count', count, 1);
    await this.pause();
    const step = { force, limit: Math.min(count, MAX_REMOVED) };
    for (let more = true; more;) {
      const reply = await this.command('obliterate', (handle, call) => handle.obliterateQueue(step, call));
      if (reply.refusal !== null) {
        throw refusalError(reply.refusal, '', this.name);
      }
      ({ more } = reply);
      await nextTurn();
    }
  }

  /**
   * Removes jobs that are in no state, which nothing shows or runs. Old versions of BullMQ could leave such behind; on
   * backends of ours alone there are none. Looks at every key of the server, in small steps.
   *
   * @param count - records that one step looks at, 1 to 10,000; more are taken for 10,000. Default 1,000
   * @param limit - most jobs to remove; 0 for all
   * @returns how many were removed
   * @throws InvalidLimitError
   */
  async removeOrphanedJobs(count = 1_000, limit = 0): Promise<number> {
    checkLimit('count', count, 1);
    checkLimit('limit', limit, 0);
    const most = limit === 0 ? Infinity : limit;
    let removed = 0;
    let cursor: string | null = null;
    do {
      const { backend } = await this.use('removeOrphanedJobs');
      const found = await backend.findOrphanedJobs({ cursor, count });
      removed += await this.#removeFound(found.ids, most - removed);
      ({ cursor } = found);
      await nextTurn();
    } while (cursor !== null && removed < most);
    return removed;
  }

  /**
   * Drops the oldest events of the queue's event log.
   *
   * @param maxLength - most events to keep
   * @returns how many were dropped
   * @throws InvalidLimitError
   */
  async trimEvents(maxLength: number): Promise<number> {
    checkLimit('maxLength', maxLength, 0);
    let removed = 0;
    for (let more = true; more;) {
      const reply = await this.command('trimEvents', (handle, call) =>
        handle.trimEvents({ maxLength }, call),
      );
      removed += reply.removed;
      ({ more } = reply);
      await nextTurn();
    }
    return removed;
  }

  abstract pause(): Promise<void>;

  async #removeFound(found: readonly string[], most: number): Promise<number> {
    let left = found;
    let removed = 0;
    while (left.length > 0 && removed < most) {
      const ids = left.slice(0, Math.min(most - removed, MAX_REMOVED));
      const reply = await this.command('removeOrphanedJobs', (handle, call) =>
        handle.removeOrphanedJobs({ ids }, call),
      );
      removed += reply.removed.length;
      left = left.slice(reply.checked);
    }
    return removed;
  }
}
