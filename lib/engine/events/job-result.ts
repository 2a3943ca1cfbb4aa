import { Observable } from 'rxjs';

import { CANCELLED_CODE, reasonOfCancel } from '../../model/cancel-reason';
import { JobCancelledError } from '../../model/errors/job-cancelled.error';
import { JobExpiredError } from '../../model/errors/job-expired.error';
import { JobFailedError } from '../../model/errors/job-failed.error';
import { JobTimeoutError } from '../../model/errors/job-timeout.error';
import { JobRemovedError } from '../../model/errors/job-removed.error';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import { WaitTimeoutError } from '../../model/errors/wait-timeout.error';
import { EXPIRED_CODE, TIMEOUT_CODE } from '../../model/time-limits';
import type { Clock } from '../../contract/clock';
import type { JobEnd, JobWatcher } from './job-watch';
import { parseOrText } from './queue-event-codec';

/**
 * A job that can be watched.
 *
 * @internal
 */
export interface WatchedJob {
  readonly id: string;
  readonly queueName: string;
  watch(watcher: JobWatcher): () => void;
}

/** Progress that comes before it is known what was; beyond it the oldest is dropped. */
const MOST_EARLY = 1_000;

/**
 * The progress of a job: the last known value first, then each further one. Completes when the job has ended.
 *
 * @internal
 */
export function progressOf(job: WatchedJob): Observable<unknown> {
  return new Observable((subscriber) => {
    let early: unknown[] | undefined = [];
    const flush = (): void => {
      const values = early ?? [];
      early = undefined;
      values.forEach((value) => subscriber.next(value));
    };
    const complete = (): void => {
      flush();
      subscriber.complete();
    };
    return job.watch({
      onRecord: (record) => {
        if (early?.length === 0 && record?.progress != null) {
          early.push(parseOrText(record.progress));
        }
        flush();
      },
      onProgress: (progress) => {
        if (early === undefined) {
          subscriber.next(progress);
          return;
        }
        early.push(progress);
        if (early.length > MOST_EARLY) {
          early.shift();
        }
      },
      onEnd: complete,
      onClose: complete,
    });
  });
}

/**
 * The result of a job, as one value; errors when there will be none.
 *
 * @internal
 */
export function resultOf<Result>(job: WatchedJob): Observable<Result> {
  return new Observable((subscriber) =>
    job.watch({
      onEnd: (end) => {
        if (end.kind === 'completed') {
          subscriber.next(end.returnvalue as Result);
          subscriber.complete();
        } else {
          subscriber.error(errorOf(end, job));
        }
      },
      onClose: () => subscriber.complete(),
    }),
  );
}

/**
 * Waits for the result of a job.
 *
 * @param timeout - milliseconds; `undefined` waits for as long as it takes
 * @param call - the method that users call, for the error
 * @param listener - what the news come from, for the error when it is closed
 * @throws JobFailedError, which JobTimeoutError and JobExpiredError are too, JobCancelledError, JobRemovedError,
 * WaitTimeoutError, QueueClosedError, or the reason of the signal
 *
 * @internal
 */
export function finishOf<Result>(
  job: WatchedJob,
  {
    clock,
    timeout,
    signal,
    call,
    listener,
  }: {
    clock: Clock;
    timeout: number | undefined;
    signal: AbortSignal | undefined;
    call: string;
    listener: string;
  },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const releases: (() => void)[] = [];
    let isSettled = false;
    const settle = (act: () => void): void => {
      if (!isSettled) {
        isSettled = true;
        releases.forEach((release) => release());
        act();
      }
    };
    if (timeout !== undefined) {
      const onTimeout = (): void => reject(new WaitTimeoutError(job.id, job.queueName, timeout));
      releases.push(clock.setTimer(timeout, () => settle(onTimeout)));
    }
    if (signal !== undefined) {
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      signal.addEventListener('abort', onAbort, { once: true });
      releases.push(() => signal.removeEventListener('abort', onAbort));
    }
    const stopWatching = job.watch({
      onEnd: (end) =>
        settle(() =>
          end.kind === 'completed' ? resolve(end.returnvalue as Result) : reject(errorOf(end, job)),
        ),
      onClose: () => settle(() => reject(new QueueClosedError(listener, call))),
    });
    releases.push(stopWatching);
  });
}

/** What the end of a job without a result is for who waits for one. */
function errorOf(end: Exclude<JobEnd, { kind: 'completed' }>, { id, queueName }: WatchedJob): Error {
  if (end.kind === 'gone') {
    return new JobRemovedError(id, queueName);
  }
  if (end.code === CANCELLED_CODE) {
    return new JobCancelledError(id, queueName, reasonOfCancel(end.reason));
  }
  if (end.code === TIMEOUT_CODE) {
    return new JobTimeoutError(id, queueName, end.reason);
  }
  return end.code === EXPIRED_CODE
    ? new JobExpiredError(id, queueName, end.reason)
    : new JobFailedError(id, queueName, end.reason, end.code);
}
