import type { WorkerListeners } from '../../engine/worker/worker';
import { addMethodMetadata } from './method-metadata';

/** @internal */
export const LISTENERS_METADATA = 'lane:listeners';

/**
 * Name of an event of a worker.
 *
 * @public
 */
export type WorkerEventName = keyof WorkerListeners;

/** @internal */
export const WORKER_EVENT_NAMES = Object.keys({
  active: true,
  completed: true,
  failed: true,
  handedBack: true,
  progress: true,
  stalled: true,
  drained: true,
  paused: true,
  resumed: true,
  ready: true,
  closing: true,
  closed: true,
  locksRenewed: true,
  lockRenewalFailed: true,
  error: true,
} satisfies Record<WorkerEventName, true>);

/**
 * What `@OnWorkerEvent` writes, one entry a decorator.
 *
 * @internal
 */
export interface ListenerMetadata {
  readonly method: string | symbol;
  readonly event: unknown;
}

/**
 * Calls a method of a processor at each event of its queue's worker in this process, with what the event carries
 * (see `WorkerListeners`).
 *
 * Jobs do not wait for it, and whatever it throws or rejects with is written to Nest's log and does no harm.
 *
 * @param event - such as `completed`, `failed` or `drained`
 *
 * @example
 * ```ts
 * @OnWorkerEvent('failed')
 * onFailed(job: Job, error: Error) {
 *   this.metrics.count('email.failed', { name: job.name });
 * }
 * ```
 *
 * @public
 */
export function OnWorkerEvent(event: WorkerEventName): MethodDecorator {
  return (target, method) => {
    addMethodMetadata<ListenerMetadata>(LISTENERS_METADATA, target, { method, event });
  };
}
