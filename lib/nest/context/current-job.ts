import { AsyncLocalStorage } from 'node:async_hooks';

import type { JobContext } from './job-context';

const storage = new AsyncLocalStorage<JobContext>();

/**
 * The context of the job whose handler is at work, in whatever the handler calls and awaits, however deep.
 *
 * @returns `undefined` outside of a handler
 *
 * @example
 * ```ts
 * @Injectable()
 * export class AuditLog {
 *   write(entry: string) {
 *     return this.rows.insert({ entry, by: currentJob()?.idempotencyKey ?? 'request' });
 *   }
 * }
 * ```
 *
 * @public
 */
export function currentJob(): JobContext | undefined {
  return storage.getStore();
}

/**
 * Calls a function, to which, and to all that it begins, the job is the current one.
 *
 * @internal
 */
export function runAsCurrent<Args extends unknown[], Result>(
  context: JobContext,
  call: (...args: Args) => Result,
  ...args: Args
): Result {
  return storage.run(context, call, ...args);
}
