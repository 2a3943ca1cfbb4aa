import type { Reply } from '../../contract/mutating-call';
import { COUNTED_BY_HAND, type QueueSettings } from '../../contract/queue-limits';
import { MAX_EVENTS } from '../../contract/event-log';
import type { RateLimit } from '../../model/rate-limit';
import type { Step } from './step';
import type { QueueRow, Store } from './store';

/**
 * What the rate of a claim lets through.
 *
 * @internal
 */
export interface Permits {
  /** How many jobs; none while `limitedFor` is above 0. */
  readonly count: number;
  /** Milliseconds for which it lets none through. */
  readonly limitedFor: number;
}

/**
 * How many jobs a claim may take by its rate.
 *
 * @param limiter - rate of the worker's own
 * @param heedsHand - a limit that was set by hand holds without a rate too
 *
 * @internal
 */
export function permitsOf(
  queue: QueueRow,
  now: number,
  limiter: RateLimit | undefined,
  heedsHand: boolean,
): Permits {
  const rate = rateOf(queue, limiter);
  const most = rate?.max ?? (heedsHand ? COUNTED_BY_HAND : Infinity);
  const isRunning = now < queue.windowEnd;
  const used = isRunning ? queue.windowUsed : 0;
  return used < most
    ? { count: rate === undefined ? Infinity : most - used, limitedFor: 0 }
    : { count: 0, limitedFor: queue.windowEnd - now };
}

/**
 * Counts jobs that were claimed, where the claim goes by a rate. The first of them begin a window.
 *
 * @internal
 */
export function countPermits({ queue, now }: Step, limiter: RateLimit | undefined, used: number): void {
  const rate = rateOf(queue, limiter);
  if (rate === undefined || used === 0) {
    return;
  }
  if (now >= queue.windowEnd) {
    queue.windowUsed = 0;
    queue.windowEnd = now + rate.duration;
  }
  queue.windowUsed += used;
}

/**
 * Jobs that may be claimed by the ceiling, of so many that are wanted.
 *
 * @internal
 */
export function roomOf(store: Store, queue: QueueRow, wanted: number): number {
  return queue.ceiling === null
    ? wanted
    : Math.min(wanted, queue.ceiling - store.count('jobsByState', [queue.queue, 'active']));
}

/** @internal */
export function setCeiling(step: Step, ceiling: number | null): Reply {
  step.queue.ceiling = ceiling;
  return { now: step.now };
}

/** @internal */
export function setRateLimit(step: Step, limit: RateLimit | null): Reply {
  step.queue.max = limit?.max ?? null;
  step.queue.duration = limit?.duration ?? null;
  step.hasLifted = true;
  return { now: step.now };
}

/** @internal */
export function limitClaims(step: Step, duration: number | null): Reply {
  step.queue.windowUsed = duration === null ? 0 : COUNTED_BY_HAND;
  step.queue.windowEnd = duration === null ? 0 : step.now + duration;
  step.hasLifted = duration === null;
  return { now: step.now };
}

/** @internal */
export function isMaxed(store: Store, queueName: string): boolean {
  const queue = store.get('queues', queueName);
  return queue !== undefined && roomOf(store, queue, 1) <= 0;
}

/** @internal */
export function getRateLimitTtl(store: Store, queueName: string, now: number, max: number | null): number {
  const queue = store.get('queues', queueName);
  const left = Math.max(0, (queue?.windowEnd ?? 0) - now);
  const most = max ?? queue?.max ?? null;
  if (most === null) {
    return left === 0 ? -2 : left;
  }
  return (queue?.windowUsed ?? 0) >= most ? left : 0;
}

/** @internal */
export function getSettings(store: Store, queueName: string): QueueSettings {
  const queue = store.get('queues', queueName);
  return {
    isPaused: queue?.paused === 1,
    ceiling: queue?.ceiling ?? null,
    max: queue?.max ?? null,
    duration: queue?.duration ?? null,
    maxEvents: MAX_EVENTS,
    version: null,
  };
}

/** The number of the queue comes before that of the worker, the window of the worker before that of the queue. */
function rateOf(queue: QueueRow, limiter: RateLimit | undefined): RateLimit | undefined {
  const max = queue.max ?? limiter?.max;
  const duration = limiter?.duration ?? queue.duration;
  return max === undefined || duration === null ? undefined : { max, duration };
}
