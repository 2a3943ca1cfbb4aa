import { addMethodMetadata } from './method-metadata';

/** @internal */
export const EXHAUSTED_METADATA = 'lane:exhausted';

/**
 * What `@OnJobExhausted` writes, one entry a decorator.
 *
 * @internal
 */
export interface ExhaustedMetadata {
  readonly method: string | symbol;
  /** `undefined` for every name. */
  readonly name: unknown;
}

/**
 * Calls a method of a processor when a job of its queue has failed for good, in the process that had it last, with the
 * job and the error: its attempts are used up, its error is final (such as an `UnrecoverableError`), or it was abandoned
 * too often. Not when it was cancelled, discarded or expired, or its attempt is followed by another one.
 *
 * It runs before the failure is written, so before anybody else hears of it, and the failure waits for it, 5 seconds at
 * most, with the lease of the job kept. Whatever it throws or rejects with is written to Nest's log and counted, and
 * changes nothing. It runs once, unless the process dies between its run and the writing of the failure: then whoever
 * takes the job up may run it again.
 *
 * @param name - of the jobs; default: every name
 *
 * @example
 * ```ts
 * @OnJobExhausted('send')
 * async gaveUp(job: Job<Letter>, error: Error) {
 *   await this.alerts.open(`letter ${job.id} was not sent`, error);
 * }
 * ```
 *
 * @public
 */
export function OnJobExhausted(name?: string): MethodDecorator {
  return (target, method) => {
    addMethodMetadata<ExhaustedMetadata>(EXHAUSTED_METADATA, target, { method, name });
  };
}
