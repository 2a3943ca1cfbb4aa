import { Inject, Injectable } from '@nestjs/common';

import { LaneLifecycle } from '../control/lane.lifecycle';
import type { LaneReport, ReportOptions, ReportProblem } from '../health/lane-report';
import { terminusWay } from './driver';

/**
 * What an indicator looks at.
 *
 * @public
 */
export interface HealthOptions extends ReportOptions {
  /**
   * A backlog that is too old is `degraded` rather than `down`, for Terminus 12, where that does not fail the check;
   * with older ones it is `up`, and told among the problems. Default `false`.
   */
  degraded?: boolean;
}

/**
 * What an indicator says, in the form in which Terminus reads it.
 *
 * @public
 */
export type HealthResult<Key extends string = string> = Record<
  Key,
  {
    /** With `degraded: true` and Terminus 12 also `degraded`, which the types of older ones do not have. */
    status: 'up' | 'down';
    state: LaneReport['state'];
    /** What is not as it should be, a sentence each. */
    problems: readonly string[];
    /** Of each connection whether its backend answers. */
    connections: Readonly<Record<string, 'up' | 'down' | 'unused'>>;
  }
>;

/** Error by which Terminus 10 is told; it knows it by its flag. */
class DownError extends Error {
  readonly isHealthCheckError = true;

  constructor(
    key: string,
    readonly causes: HealthResult,
  ) {
    super(`${key} is down`);
  }
}

/**
 * Health of queues and workers for `@nestjs/terminus` 10, 11 and 12. Without Terminus, `LaneLifecycle.report()` tells the
 * same.
 *
 * `liveness` is down where starting the process anew may help: a worker that hears nothing of its queue any more, or a
 * backend that has been away for long. `readiness` is down, besides, while a backend is away or the application drains.
 * `check` is `readiness` with what the options ask for.
 *
 * @example
 * ```ts
 * @Get('ready')
 * @HealthCheck()
 * ready() {
 *   return this.health.check([() => this.lane.check('lane', { backlogAge: { email: '5m' }, stuckAfter: '10m' })]);
 * }
 * ```
 *
 * @public
 */
@Injectable()
export class LaneHealthIndicator {
  readonly #lifecycle: LaneLifecycle;

  constructor(@Inject(LaneLifecycle) lifecycle: LaneLifecycle) {
    this.#lifecycle = lifecycle;
  }

  /**
   * Whether the process is worth keeping.
   *
   * @param key - under which Terminus shows it
   * @throws UnknownOptionError, InvalidDurationError
   */
  async liveness<Key extends string>(key: Key, options: ReportOptions = {}): Promise<HealthResult<Key>> {
    const report = await this.#lifecycle.report(options);
    return told(key, report.isLive ? 'up' : 'down', report);
  }

  /**
   * Whether the process does its work and is not about to end.
   *
   * @param key - under which Terminus shows it
   * @throws UnknownOptionError, InvalidDurationError
   */
  async readiness<Key extends string>(key: Key, options: ReportOptions = {}): Promise<HealthResult<Key>> {
    const report = await this.#lifecycle.report(options);
    return told(key, report.isReady ? 'up' : 'down', report);
  }

  /**
   * Whether the process does its work, and whether jobs wait no longer than `backlogAge` says.
   *
   * @param key - under which Terminus shows it
   * @throws UnknownOptionError, InvalidDurationError
   */
  async check<Key extends string>(key: Key, options: HealthOptions = {}): Promise<HealthResult<Key>> {
    const { degraded = false, ...others } = options;
    const report = await this.#lifecycle.report(others);
    if (!report.isReady) {
      return told(key, 'down', report);
    }
    const isBehind = report.problems.length > 0;
    return told(key, isBehind ? (degraded ? 'degraded' : 'down') : 'up', report);
  }
}

function told<Key extends string>(
  key: Key,
  status: 'up' | 'down' | 'degraded',
  { state, problems, connections }: LaneReport,
): HealthResult<Key> {
  const way = terminusWay();
  const isDegraded = status === 'degraded';
  const result = {
    [key]: {
      status: isDegraded && way !== 'returned-or-degraded' ? 'up' : status,
      state,
      problems: problems.map(({ message }: ReportProblem) => message),
      connections: Object.fromEntries(
        connections.map(({ name, isUp }) => [name, isUp === null ? 'unused' : isUp ? 'up' : 'down']),
      ),
    },
  } as unknown as HealthResult<Key>;
  if (way === 'thrown' && result[key].status === 'down') {
    throw new DownError(key, result);
  }
  return result;
}
