/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { Clock } from '../../contract/clock';
import { EXPIRED_REASON } from '../../contract/job-expiry';
import type { Outcome } from '../../contract/job-handover';
import { JobCancelledError } from '../../model/errors/job-cancelled.error';
import { FailedChildrenError } from '../../model/errors/failed-children.error';
import { JobNotMovedError } from '../../model/errors/job-not-moved.error';
import { JobTimeoutError } from '../../model/errors/job-timeout.error';
import type { RateLimited } from '../../model/errors/rate-limited.error';
import { textProperty } from '../../model/errors/text-property';
import { UnrecoverableError } from '../../model/errors/unrecoverable.error';
import { after } from '../../model/thenable';
import { toJson } from '../../model/payload';
import { timeoutReason } from '../../model/time-limits';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import { DefinedRuns } from '../definition/defined-runs';
import type { QueueDefinition } from '../definition/queue-definition';
import type { Job } from '../job';
import { asError } from '../runtime/safe-emitter';
import type { ActiveJob, RunHost } from './active-job';
import { saysLimited, saysMoved } from './control-errors';
import {
  cancelledOutcome,
  completedOutcome,
  discardedOutcome,
  failedOutcome,
  handedBackOutcome,
  limitedOutcome,
  refusalToRun,
  snoozedOutcome,
} from './job-outcome';
import { askStrategy } from './backoff-strategy';
import { type JobOutcome, outcomeOf } from './outcome-values';
import { takesSignal } from './takes-signal';

/**
 * Runs one job: its value is the result, its error a failed attempt. A value of `snooze`, `discard` or `complete` says what
 * becomes of the job instead, returned or thrown.
 *
 * The third argument is the signal, aborted when the lease is lost, the worker closes, the attempt takes longer than its
 * `timeout`, or `queue.cancel` or `cancelJob` is called. It is dear to make, so a function that declares no more than one
 * or two parameters, or cannot take any, is not given one; write all three to have it.
 *
 * @public
 */
export type Processor<
  Data = any,
  Result = any,
  Name extends string = string,
  AnyJob extends Job = Job<Data, Result, Name>,
> = (
  job: AnyJob,
  token: string,
  signal: AbortSignal,
) => Result | JobOutcome<Result> | PromiseLike<Result | JobOutcome<Result>>;

/**
 * One run of a handler, as a layer above the engine sees it. Its signal is made when it is first asked for.
 *
 * @internal
 */
export interface JobRun {
  readonly job: Job;
  readonly token: string;
  readonly signal: AbortSignal;
  /** The lease is lost, or the worker closes: whatever the handler still does, its job is not failed by it. */
  readonly isAborted: boolean;
  abort(reason: Error): void;
  /** The signal is aborted, or would be if there were one: what was to begin once something was waited for does not. */
  readonly hasToEnd: boolean;
  /** Has a listener called when the cancel of the job is requested in its queue. */
  onCancelled(listener: () => void): void;
  /**
   * The handler begins, and with it the time that it may take. The job may have a limit of its own, which counts in place
   * of that of the handler; where neither has one, it is that of the worker.
   */
  begin(timeout?: number): void;
  /** Has a listener called when the run is over though its handler has not ended. */
  onAbandoned(listener: () => void): void;
}

/**
 * Is told of a failure for good before it is written: not of a job that was cancelled or discarded, or that nobody started
 * in time. The outcome waits for the promise, which says for how long, with its lease kept; `undefined` when nobody wants to know.
 *
 * @internal
 */
export type LastFailureHook = (run: JobRun, error: Error) => Promise<unknown> | undefined;

interface ProcessOfRuns {
  readonly process: (run: JobRun) => unknown;
  readonly onLastFailure?: LastFailureHook | undefined;
}

const processesOfRuns = new WeakMap<Processor, ProcessOfRuns>();

/**
 * A processor that is handed the whole run, for a layer that gives handlers arguments of its own. It says when the handler
 * begins.
 *
 * @param onLastFailure - must not throw
 *
 * @internal
 */
export function processorOfRuns(
  process: (run: JobRun) => unknown,
  onLastFailure?: LastFailureHook,
): Processor {
  const processor: Processor = () => undefined;
  processesOfRuns.set(processor, { process, onLastFailure });
  return processor;
}

/**
 * An outcome with what the worker tells about it once it is written.
 *
 * @internal
 */
export interface FinishedJob {
  readonly active: ActiveJob;
  readonly outcome: Outcome;
  /** What the handler returned, for `completed`. */
  readonly result: unknown;
  /** What the handler threw, for `failed`. */
  readonly error: Error | undefined;
}

/**
 * What an executor needs of its worker.
 *
 * @internal
 */
export interface ExecutorHost {
  /** Time of the store, in milliseconds. */
  storeTime(): number;
  /** Lets no jobs of the queue through for so many milliseconds, if it can. Never rejects. */
  limitClaims(millis: number): Promise<void>;
  /** Told what a handler threw whose job keeps none of it: it had moved the job, or its attempt was over before. */
  onError(error: Error): void;
}

/**
 * Runs one handler per job and names the outcome. A handler runs once per claim, whatever becomes of its outcome.
 *
 * @internal
 */
export class JobExecutor implements RunHost {
  readonly #process: (run: JobRun) => unknown;
  readonly #onLastFailure: LastFailureHook | undefined;

  /** @param definition - by which the data of jobs is prepared; a processor that is handed runs sees to that itself */
  constructor(
    processor: Processor,
    private readonly options: ResolvedWorkerOptions,
    private readonly clock: Clock,
    private readonly worker: ExecutorHost,
    definition?: QueueDefinition,
  ) {
    const ofRuns = processesOfRuns.get(processor);
    this.#process = ofRuns?.process ?? processOf(processor, definition && new DefinedRuns(definition));
    this.#onLastFailure = ofRuns?.onLastFailure;
  }

  /**
   * Runs the job's handler.
   *
   * @param ended - called once, when the handler ended; with nothing, when it has moved its job itself
   */
  run(active: ActiveJob, ended: (finished: FinishedJob | undefined) => void): void {
    const finished = this.#onLastFailure === undefined ? ended : this.#toldFirst(ended);
    const refusal = active.cancelled ?? refusalToRun(active.job, active.deferredFailure, this.options);
    if (refusal !== null) {
      finished(this.#failed(active, refusal));
      return;
    }
    active.host = this;
    active.finished = finished;
    let returned: Promise<unknown>;
    try {
      returned = Promise.resolve(this.#process(active));
    } catch (thrown) {
      this.#threw(active, thrown, finished);
      return;
    }
    returned.then(
      (result) => this.#returned(active, result, finished),
      (thrown: unknown) => this.#threw(active, thrown, finished),
    );
  }

  begin(active: ActiveJob, ofHandler: number | undefined): void {
    const timeout = active.job.timeout ?? ofHandler ?? this.options.timeout;
    if (timeout !== undefined) {
      active.setTimer(this.clock, timeout, () => this.#overrun(active, timeout));
    }
  }

  /**
   * Ends the run of a handler that was told to end, as it took too long.
   *
   * @returns whether it was
   */
  abandonOverrun(active: ActiveJob): boolean {
    const { overrun, leaving } = active;
    if (overrun === undefined) {
      return false;
    }
    active.stopTimer();
    active.abandon();
    if (leaving === undefined) {
      this.#fail(active, overrun, active.finished!);
    } else {
      void leaving.then((hasLeft) =>
        hasLeft ? active.finished!(undefined) : this.#fail(active, overrun, active.finished!),
      );
    }
    return true;
  }

  #overrun(active: ActiveJob, timeout: number): void {
    // Whose worker closes, or whose lease is lost, is told to end already.
    if (active.isAborted) {
      return;
    }
    const { id, queueName } = active.job;
    active.overrun = new JobTimeoutError(id, queueName, timeoutReason(timeout));
    active.setTimer(this.clock, this.options.timeoutGrace, () => this.abandonOverrun(active));
    active.cancel(active.overrun);
  }

  #returned(active: ActiveJob, result: unknown, finished: (finished: FinishedJob | undefined) => void): void {
    active.stopTimer();
    if (active.isAbandoned) {
      return;
    }
    if (active.leaving === undefined) {
      this.#end(active, result, finished);
    } else {
      void active.leaving.then((hasLeft) =>
        hasLeft ? finished(undefined) : this.#end(active, result, finished),
      );
    }
  }

  #threw(active: ActiveJob, thrown: unknown, finished: (finished: FinishedJob | undefined) => void): void {
    if (outcomeOf(thrown) !== undefined) {
      this.#returned(active, thrown, finished);
      return;
    }
    const error = asError(thrown);
    active.stopTimer();
    if (active.isAbandoned) {
      if (error !== active.overrun) {
        this.worker.onError(error);
      }
      return;
    }
    if (active.leaving === undefined) {
      this.#fail(active, failureOf(active, error), finished);
      return;
    }
    // A handler may throw before the move that it began is done.
    void active.leaving.then((hasLeft) => {
      if (!hasLeft) {
        this.#fail(active, failureOf(active, error), finished);
        return;
      }
      finished(undefined);
      if (!saysMoved(error)) {
        this.worker.onError(error);
      }
    });
  }

  #end(active: ActiveJob, result: unknown, finished: (finished: FinishedJob) => void): void {
    const said = outcomeOf(result);
    if (said === undefined) {
      finished(this.#completed(active, result));
    } else if (said.kind === 'complete') {
      finished(this.#completed(active, said.value));
    } else {
      this.#follow(active, said, finished);
    }
  }

  /** Does what a handler says, unless something has ended its run that goes before. */
  #follow(
    active: ActiveJob,
    said: Exclude<JobOutcome, { kind: 'complete' }> | RateLimited,
    finished: (finished: FinishedJob) => void,
  ): void {
    const { cancelled, overrun } = active;
    const discarded = said.kind === 'discard' ? discardedError(said.reason) : undefined;
    if (cancelled !== undefined || overrun !== undefined) {
      this.#fail(active, failureOf(active, cancelled ?? discarded ?? overrun!), finished);
    } else if (isHandedBack(active)) {
      finished({ active, outcome: handedBackOutcome(active), result: undefined, error: undefined });
    } else if (said.kind === 'snooze') {
      const outcome = snoozedOutcome(active, this.worker.storeTime() + said.duration, said.unhandled);
      finished({ active, outcome, result: undefined, error: undefined });
    } else if (said.kind === 'discard') {
      const outcome = discardedOutcome(active, discarded!, said.remove, this.options);
      finished({ active, outcome, result: undefined, error: discarded });
    } else {
      // Meanwhile its job may be cancelled.
      void this.worker.limitClaims(said.duration).then(() => finished(this.#failed(active, said)));
    }
  }

  /** Names the outcome of a job whose completion was refused: it has failed, for good where trying again is no use. */
  refused(active: ActiveJob, error: Error): FinishedJob | Promise<FinishedJob> {
    const cause =
      error instanceof FailedChildrenError ? new UnrecoverableError(error.message, { cause: error }) : error;
    const known = this.#failedWhenKnown(active, cause);
    return known === undefined
      ? this.#told(this.#failed(active, cause))
      : known.then((finished) => this.#told(finished));
  }

  #toldFirst(ended: (finished: FinishedJob | undefined) => void): typeof ended {
    return (finished) => {
      const told = finished === undefined ? undefined : this.#told(finished);
      if (told instanceof Promise) {
        void told.then(ended);
      } else {
        ended(told);
      }
    };
  }

  /** The outcome, at once unless it is a failure for good and somebody is told of that first. */
  #told(finished: FinishedJob): FinishedJob | Promise<FinishedJob> {
    const { active, error } = finished;
    const told = isLastFailure(finished) ? this.#onLastFailure?.(active, error!) : undefined;
    return told === undefined ? finished : active.untilTold(told).then(() => finished);
  }

  #completed(active: ActiveJob, result: unknown): FinishedJob {
    let json: string;
    try {
      json = toJson(result, 'null', 'result', active.job.name);
    } catch (thrown) {
      // Running the handler again would bring the same value again.
      const { message } = asError(thrown);
      return this.#failed(active, new UnrecoverableError(message, { cause: thrown }));
    }
    return { active, outcome: completedOutcome(active, json, this.options), result, error: undefined };
  }

  #fail(active: ActiveJob, error: Error, finished: (finished: FinishedJob) => void): void {
    const known = this.#failedWhenKnown(active, error);
    if (known === undefined) {
      finished(this.#failed(active, error));
    } else {
      void known.then(finished);
    }
  }

  /** @returns `undefined` when nobody has to be asked about the next attempt */
  #failedWhenKnown(active: ActiveJob, error: Error): Promise<FinishedJob> | undefined {
    const isNoFailure = active.cancelled !== undefined || isHandedBack(active) || saysLimited(error);
    const asked = isNoFailure ? undefined : askStrategy(active.job, error, this.options);
    return asked?.then((answer) => this.#failed(active, answer.error, answer));
  }

  #failed(active: ActiveJob, error: Error, answer?: { readonly wait: number | null }): FinishedJob {
    if (active.cancelled !== undefined) {
      const cause = causedBy(active.cancelled, error);
      return {
        active,
        outcome: cancelledOutcome(active, cause, this.options),
        result: undefined,
        error: cause,
      };
    }
    // A handler that stops because its worker closes has not failed.
    if (isHandedBack(active)) {
      return { active, outcome: handedBackOutcome(active), result: undefined, error };
    }
    const outcome = saysLimited(error)
      ? limitedOutcome(active)
      : failedOutcome(active, error, this.options, answer);
    return { active, outcome, result: undefined, error };
  }
}

/** Whether it is no decision of somebody: neither cancelled nor discarded, nor one that nobody started in time. */
function isLastFailure({ active, outcome }: FinishedJob): boolean {
  return (
    outcome.kind === 'failed' &&
    outcome.code !== DISCARDED_CODE &&
    active.cancelled === undefined &&
    active.deferredFailure !== EXPIRED_REASON
  );
}

/** What is told of a job that was cancelled and whose handler threw. */
function causedBy(cancelled: JobCancelledError, thrown: Error): JobCancelledError {
  const { jobId, queueName, reason } = cancelled;
  return thrown === cancelled
    ? cancelled
    : new JobCancelledError(jobId, queueName, reason, { cause: thrown });
}

/** A handler that stops because its worker closes; one that had taken too long before has failed. */
function isHandedBack({ isAborted, overrun }: ActiveJob): boolean {
  return isAborted && overrun === undefined;
}

/** What a handler throws that was told to end, as it took too long, is what comes of that. */
function failureOf(active: ActiveJob, error: Error): Error {
  const { overrun, cancelled, job } = active;
  if (overrun !== undefined && cancelled === undefined) {
    return error === overrun
      ? overrun
      : new JobTimeoutError(job.id, job.queueName, overrun.failedReason, { cause: error });
  }
  return saysMoved(error) ? notMoved(active, error) : error;
}

/** What is told of a job that its handler discards. Where it was made says nothing. */
function discardedError(reason: string): UnrecoverableError {
  const error = Object.assign(new UnrecoverableError(reason), { outcomeCode: DISCARDED_CODE });
  error.stack = `${error.name}: ${reason}`;
  return error;
}

const DISCARDED_CODE = 'discarded';

function notMoved({ job }: ActiveJob, error: Error): JobNotMovedError {
  return new JobNotMovedError(textProperty(error, 'name') ?? 'DelayedError', job.id, job.queueName, {
    cause: error,
  });
}

function processOf(processor: Processor, defined: DefinedRuns | undefined): (run: JobRun) => unknown {
  const process = callOf(processor);
  return defined === undefined
    ? (run) => {
        run.begin();
        return process(run);
      }
    : (run) => {
        run.begin();
        return after(defined.prepare(run.job), () => {
          if (run.hasToEnd) {
            throw run.signal.reason;
          }
          return process(run);
        });
      };
}

function callOf(processor: Processor): (run: JobRun) => unknown {
  if (takesSignal(processor)) {
    return (run) => processor(run.job, run.token, run.signal) as unknown;
  }
  const withoutSignal = processor as (job: Job, token: string) => unknown;
  return (run) => withoutSignal(run.job, run.token);
}
