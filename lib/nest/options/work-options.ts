/**
 * What a process does with the queues of a connection: `producer` adds jobs and runs none, `worker` and `both` run them.
 * Whoever runs jobs can add some, since handlers do; `worker` says that this is what the process is there for, so it is
 * told when it has nothing to work on.
 *
 * @public
 */
export type LaneRole = 'both' | 'producer' | 'worker';

/**
 * Which queues a process works on: those that are named, or all but those.
 *
 * @public
 */
export type WorkedQueues =
  | { /** Names of the queues, at least one. */ only: readonly string[]; except?: never }
  | { /** Names of the queues, at least one. */ except: readonly string[]; only?: never };

/**
 * What a process works on, and from when.
 *
 * @public
 */
export interface WorkOptions {
  /**
   * Whether this process runs jobs. A `producer` starts no worker; processor classes may be there or not. Default
   * `both`.
   */
  role?: LaneRole;
  /** The queues that this process works on. Jobs can be added to all. Default: all that have a processor. */
  queues?: WorkedQueues;
  /**
   * `bootstrap` starts workers when every bootstrap hook of the application has ended, `manual` when
   * `LaneRunner.start()` is called. Default `bootstrap`.
   */
  start?: 'bootstrap' | 'manual';
  /**
   * Called when every bootstrap hook has ended: workers start once its promise resolves, such as when a cache is warm.
   * The start of the application does not wait for it, and a close neither. When it rejects, that is logged and no
   * worker of the connection starts by itself. Default: they start at once. Not with `start: 'manual'`.
   */
  startWhen?: () => Promise<unknown>;
}

/** @internal */
export const WORK_OPTION_NAMES: readonly (keyof WorkOptions)[] = ['role', 'queues', 'start', 'startWhen'];
