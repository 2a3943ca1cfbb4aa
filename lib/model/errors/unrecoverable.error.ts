/**
 * Thrown by a handler to fail its job for good, whatever attempts are left.
 *
 * Recognised by class or by `name`, so a copy from another package works too.
 *
 * @public
 */
export class UnrecoverableError extends Error {
  /** @param message - becomes the job's `failedReason` */
  constructor(message = 'bullmq:unrecoverable', options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'UnrecoverableError';
  }
}
