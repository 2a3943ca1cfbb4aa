import { EXPIRED_REASON } from '../../contract/job-expiry';
import type { Step } from './step';
import type { JobRow } from './store';

// A job that has to be started in time has a row of `expiries` besides, from when it is added until it is started or is
// no more.

/**
 * Counts the time of a job that nobody has started.
 *
 * @param from - when it may run
 *
 * @internal
 */
export function countExpiry(step: Step, row: JobRow, from: number): void {
  if (row.expiresIn === null) {
    return;
  }
  row.expiresAt = from + row.expiresIn;
  const sequence = step.nextBack();
  step.store.put('expiries', { queue: row.queue, job: row.id, expiresAt: row.expiresAt, sequence });
}

/**
 * Counts the time of a job anew, as it may run at another time.
 *
 * @internal
 */
export function recountExpiry(step: Step, row: JobRow, from: number): void {
  if (row.expiresAt !== null && row.attemptsStarted === 0) {
    countExpiry(step, row, from);
  }
}

/**
 * Whether nobody has started a job in time.
 *
 * @internal
 */
export function hasExpired({ now }: Step, row: JobRow): boolean {
  return row.expiresAt !== null && row.attemptsStarted === 0 && row.expiresAt <= now;
}

/**
 * Ends the time of a job: it is started, or is no more.
 *
 * @internal
 */
export function forgetExpiry(step: Step, row: JobRow): void {
  if (row.expiresAt !== null) {
    step.store.delete('expiries', row.queue, row.id);
  }
}

/**
 * Lets a job fail in place of being run. If it is run again, its time is not counted any more.
 *
 * @internal
 */
export function expire(row: JobRow): void {
  row.deferredFailure = EXPIRED_REASON;
  row.expiresAt = null;
}
