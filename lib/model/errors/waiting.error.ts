/**
 * Thrown by a handler that has called `job.moveToWait()`: nothing more is written, and no attempt is used.
 *
 * Recognised by class, by `name` or by its own message, so a copy from another package works too.
 *
 * @public
 */
export class WaitingError extends Error {
  /** @param message - for whoever logs it; the job keeps none */
  constructor(message = 'bullmq:movedToWait', options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'WaitingError';
  }
}
