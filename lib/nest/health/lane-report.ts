import type { Duration } from '../../model/duration';
import type { LaneState } from '../lifecycle/lane-states';
import type { WorkerState } from '../lifecycle/restartable-worker';

/**
 * What a report looks at besides what it always does.
 *
 * @public
 */
export interface ReportOptions {
  /** How long a backend has to answer; a bare number is milliseconds. Default 2 s. */
  pingWithin?: Duration;
  /** How long a backend may be away before the process is taken for one that will not reach it again. Default 1 min. */
  awayFor?: Duration;
  /**
   * How long a worker may hear nothing of its queue. Default: the longest time that it waits by its options, and 15 s; 45 s
   * without options.
   */
  silentFor?: Duration;
  /** Jobs that run longer are a problem. Default: none is. */
  stuckAfter?: Duration;
  /** How late the event loop may be. Default: however late. */
  lag?: Duration;
  /** How long the oldest waiting job of a queue may have waited, by name of the queue. Default: it is not looked at. */
  backlogAge?: Readonly<Record<string, Duration>>;
}

/** @internal */
export const REPORT_OPTION_NAMES: readonly (keyof ReportOptions)[] = [
  'pingWithin',
  'awayFor',
  'silentFor',
  'stuckAfter',
  'lag',
  'backlogAge',
];

/**
 * One thing that is not as it should be:
 *
 * - `stuck`: starting the process anew may help; it is not live
 * - `unready`: it should be given no work for now; it is not ready
 * - `backlog`: jobs wait longer than they should; neither of the two
 *
 * @public
 */
export interface ReportProblem {
  readonly kind: 'stuck' | 'unready' | 'backlog';
  /** Such as `Queue "email": its worker has heard nothing of it for 52 s.` */
  readonly message: string;
}

/**
 * A connection of the application.
 *
 * @public
 */
export interface ConnectionReport {
  readonly name: string;
  /** Of its backend, such as `memory` or `redis`. */
  readonly kind: string;
  /** Whether the backend has answered; `null` where it was not asked, since the connection has no queue. */
  readonly isUp: boolean | null;
  /** Milliseconds since it was first found away; 0 when it is not. */
  readonly awayFor: number;
}

/**
 * The worker of a queue in this process.
 *
 * @public
 */
export interface WorkerReport {
  readonly queue: string;
  readonly connection: string;
  readonly state: WorkerState;
  /** Jobs whose handlers run. */
  readonly running: number;
  /** Milliseconds since the oldest of them began; 0 without any. */
  readonly longestRun: number;
  /** Milliseconds since it last heard of its queue; `null` where it has nothing to ask. */
  readonly silentFor: number | null;
}

/**
 * A queue whose backlog was asked for.
 *
 * @public
 */
export interface BacklogReport {
  readonly queue: string;
  readonly connection: string;
  /** Milliseconds for which the oldest job waits that is ready to run; `null` where the backend did not say. */
  readonly age: number | null;
}

/**
 * How the application is.
 *
 * @public
 */
export interface LaneReport {
  readonly state: LaneState;
  /** Whether there is no use in starting the process anew. */
  readonly isLive: boolean;
  /** Whether the process does its work and is not about to end. */
  readonly isReady: boolean;
  readonly problems: readonly ReportProblem[];
  readonly connections: readonly ConnectionReport[];
  readonly workers: readonly WorkerReport[];
  readonly backlogs: readonly BacklogReport[];
  /** Milliseconds by which the event loop was late just now. */
  readonly lag: number;
}
