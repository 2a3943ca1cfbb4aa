/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { Duration } from '../model/duration';
import { checkJobLimit, checkLimitDuration, type RateLimit } from '../model/rate-limit';
import type { Job } from './job';
import { QueueMaintenance } from './queue-maintenance';

/**
 * What is stored for a queue as a whole.
 *
 * @public
 */
export interface QueueMeta {
  /** Most jobs that may be active at once; not there without a limit. */
  concurrency?: number;
  /** Jobs that may be claimed in one window; not there without a global rate limit. */
  max?: number;
  /** Length of a window in milliseconds; not there without a global rate limit. */
  duration?: number;
  /** Whether the queue is paused. */
  paused: boolean;
  /** How many events are kept, about. */
  maxLenEvents: number;
  /** What the clients of the queue say that they are, where the store is shared with others. */
  version?: string;
}

/**
 * The part of a `Queue` that limits how many of its jobs run, by all workers in whatever process.
 *
 * @internal
 */
export abstract class QueueLimits<AnyJob extends Job = Job, Result = any> extends QueueMaintenance<
  AnyJob,
  Result
> {
  /**
   * Sets how many jobs of the queue may be active at once. Those that are active go on.
   *
   * @throws InvalidLimitError unless it is an integer of at least 1
   */
  async setGlobalConcurrency(concurrency: number): Promise<void> {
    const ceiling = checkJobLimit('concurrency', concurrency);
    await this.command('setGlobalConcurrency', (backend, call) => backend.setCeiling({ ceiling }, call));
  }

  /** Lets any number of jobs be active. */
  async removeGlobalConcurrency(): Promise<void> {
    await this.command('removeGlobalConcurrency', (backend, call) =>
      backend.setCeiling({ ceiling: null }, call),
    );
  }

  /** How many jobs may be active at once, or `null` without a limit. */
  async getGlobalConcurrency(): Promise<number | null> {
    return (await (await this.use('getGlobalConcurrency')).backend.getSettings()).ceiling;
  }

  /** Whether as many jobs are active as may be at once. */
  async isMaxed(): Promise<boolean> {
    return (await this.use('isMaxed')).backend.isMaxed();
  }

  /**
   * Sets how many jobs may be claimed in a time. The first job of a window begins it. What the present window has counted
   * stays counted.
   *
   * @param max - jobs in one window; goes before the `limiter.max` of workers, whose `duration` goes before that here
   * @param duration - length of a window; a bare number is milliseconds
   * @throws InvalidLimitError unless `max` is an integer of at least 1, InvalidDurationError unless `duration` is a time
   * above 0
   */
  async setGlobalRateLimit(max: number, duration: Duration): Promise<void> {
    const limit: RateLimit = {
      max: checkJobLimit('max', max),
      duration: checkLimitDuration('duration', duration),
    };
    await this.command('setGlobalRateLimit', (backend, call) => backend.setRateLimit({ limit }, call));
  }

  /** Takes the global rate limit back. The `limiter` of workers stays. */
  async removeGlobalRateLimit(): Promise<void> {
    await this.command('removeGlobalRateLimit', (backend, call) =>
      backend.setRateLimit({ limit: null }, call),
    );
  }

  /** The global rate limit, or `null` without one. */
  async getGlobalRateLimit(): Promise<RateLimit | null> {
    const { max, duration } = await (await this.use('getGlobalRateLimit')).backend.getSettings();
    return max === null || duration === null ? null : { max, duration };
  }

  /**
   * Lets no jobs through for a time. It holds for all workers that go by a rate, their own `limiter` or a global one, and
   * for a worker whose handler throws a `RateLimitError` then.
   *
   * @param duration - a bare number is milliseconds
   * @throws InvalidDurationError unless it is a time above 0
   */
  async rateLimit(duration: Duration): Promise<void> {
    const millis = checkLimitDuration('duration', duration);
    await this.command('rateLimit', (backend, call) => backend.limitClaims({ duration: millis }, call));
  }

  /** Ends the present window, and what `rateLimit` has set: jobs are let through again at once. */
  async removeRateLimitKey(): Promise<void> {
    await this.command('removeRateLimitKey', (backend, call) =>
      backend.limitClaims({ duration: null }, call),
    );
  }

  /**
   * Milliseconds for which no jobs are let through by a rate of `maxJobs` in a window, 0 when some are.
   *
   * @param maxJobs - without it, by the global rate limit; where there is none, what is left of the present window, -2
   * without one, and -1 for one without an end
   * @throws InvalidLimitError unless it is an integer of at least 1
   */
  async getRateLimitTtl(maxJobs?: number): Promise<number> {
    const max = maxJobs === undefined ? null : checkJobLimit('maxJobs', maxJobs);
    return (await this.use('getRateLimitTtl')).backend.getRateLimitTtl(max);
  }

  /** What is stored for the queue as a whole. */
  async getMeta(): Promise<QueueMeta> {
    const settings = await (await this.use('getMeta')).backend.getSettings();
    const { ceiling, max, duration, isPaused, maxEvents, version } = settings;
    return {
      ...(ceiling !== null && { concurrency: ceiling }),
      ...(max !== null && { max }),
      ...(duration !== null && { duration }),
      paused: isPaused,
      maxLenEvents: maxEvents,
      ...(version !== null && { version }),
    };
  }
}
