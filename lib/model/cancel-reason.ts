import { InvalidReasonError } from './errors/invalid-reason.error';

/**
 * Outcome code of a job that was cancelled.
 *
 * @internal
 */
export const CANCELLED_CODE = 'cancelled';

const CANCELLED = 'job was cancelled';
const BEFORE_REASON = `${CANCELLED}: `;

/**
 * The `failedReason` of a job that is cancelled.
 *
 * @param reason - why, if that was said
 *
 * @internal
 */
export function cancelledText(reason: string | undefined): string {
  return reason === undefined || reason === '' ? CANCELLED : BEFORE_REASON + reason;
}

/**
 * Why a job was cancelled, by its `failedReason`; `undefined` when nothing was said.
 *
 * @internal
 */
export function reasonOfCancel(failedReason: string): string | undefined {
  if (failedReason === CANCELLED) {
    return undefined;
  }
  return failedReason.startsWith(BEFORE_REASON) ? failedReason.slice(BEFORE_REASON.length) : failedReason;
}

/**
 * Checks why a job is to be cancelled.
 *
 * @throws InvalidReasonError unless it is a text, or nothing
 *
 * @internal
 */
export function checkCancelReason(reason: unknown): string | undefined {
  if (reason !== undefined && typeof reason !== 'string') {
    throw new InvalidReasonError(reason);
  }
  return reason;
}
