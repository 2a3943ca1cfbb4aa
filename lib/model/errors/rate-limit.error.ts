/**
 * Thrown by a handler that has met a rate limit, after `queue.rateLimit(…)`: its job goes back to the front of the queue
 * at no cost of an attempt, and the worker takes no more jobs until the limit ends.
 *
 * Recognised by class, or by the message that BullMQ's own has.
 *
 * @example
 * ```ts
 * if (response.status === 429) {
 *   await queue.rateLimit('30s');
 *   throw new RateLimitError();
 * }
 * ```
 *
 * @public
 */
export class RateLimitError extends Error {
  constructor(message = 'bullmq:rateLimitExceeded', options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RateLimitError';
  }
}
