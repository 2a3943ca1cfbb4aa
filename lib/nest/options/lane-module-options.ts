import type { LaneBackend } from '../../contract/queue-backend';
import type { HeadersInput } from '../../model/job-headers';
import type { ShutdownOptions } from '../../model/worker-options';
import type { AsyncOptions } from './async-options';
import type { LaneEnhancers } from './enhancer-options';
import type { QueueDefaults } from './queue-defaults';
import type { WorkOptions } from './work-options';
import { WORK_OPTION_NAMES } from './work-options';

/**
 * Options of a connection: where its queues are stored, what this process does with them, and what holds for all of
 * them.
 *
 * @public
 */
export interface LaneModuleOptions extends WorkOptions {
  /**
   * Where jobs are stored: a value made by `memory()` and the like, or a URL such as `memory:`. Default: a memory
   * store of this connection and application; with `NODE_ENV=production` it has to be given.
   */
  backend?: LaneBackend | string;
  /** Options for all jobs and workers of the connection. */
  defaults?: QueueDefaults;
  /** Guards, pipes, interceptors and filters for all handlers of the connection. Default none. */
  enhancers?: LaneEnhancers;
  /**
   * How running jobs are treated when the application closes. Default: `drain: '20s'` to end by themselves,
   * `abort: '4s'` to react to their aborted signal, before they are handed back without costing an attempt, and
   * `close: '3s'` to write the last outcomes, end listeners and free connections. Together they bound the whole close,
   * with several connections by the longest sum: 27 seconds, under the 30 that most orchestrators wait.
   */
  shutdown?: ShutdownOptions;
  /**
   * Whether the start of the application fails when the server of the connection does not answer within five seconds.
   * With `false` that is a warning, and the application connects later. Default `true`; only for backends that have
   * a server.
   */
  requireConnection?: boolean;
  /**
   * Whether a job of a queue's definition that no handler takes stops the start, where this process works on the queue.
   * Default `false`: it is a warning.
   */
  strictHandlers?: boolean;
  /** Headers that the jobs of the connection's queues have without being given them. */
  headers?: LaneHeaderOptions;
}

/**
 * Headers that jobs take from where they are added. What the `headers` of an add say wins.
 *
 * @public
 */
export interface LaneHeaderOptions {
  /**
   * Names of headers that a job takes over from the job whose handler adds it. Default: those of a trace, `traceparent` and
   * `tracestate`.
   */
  propagate?: readonly string[];
  /**
   * Called by every `add` and `addBulk`, inside and outside of handlers, and at once, so that it sees the caller's context.
   * What it returns wins over what is taken over; a header that is `undefined` is not given. When it throws, or returns
   * something else, the add rejects with a HeaderCaptureError. Default: none.
   */
  capture?: () => HeadersInput | undefined;
}

/** @internal */
export const HEADER_OPTION_NAMES: readonly (keyof LaneHeaderOptions)[] = ['propagate', 'capture'];

/**
 * The headers of W3C Trace Context.
 *
 * @internal
 */
export const TRACE_HEADERS: readonly string[] = ['traceparent', 'tracestate'];

/** @internal */
export const LANE_MODULE_OPTION_NAMES: readonly (keyof LaneModuleOptions)[] = [
  'backend',
  'defaults',
  'enhancers',
  'shutdown',
  'requireConnection',
  'strictHandlers',
  ...WORK_OPTION_NAMES,
  'headers',
];

/** @internal */
export const SHUTDOWN_DEFAULTS = {
  drain: '20s',
  abort: '4s',
  close: '3s',
} as const satisfies ShutdownOptions;

/**
 * A class that makes the options of a connection, for `useClass` and `useExisting`.
 *
 * @public
 */
export interface LaneOptionsFactory {
  createLaneOptions(): LaneModuleOptions | Promise<LaneModuleOptions>;
}

/**
 * Options of `LaneModule.forRootAsync`.
 *
 * @public
 */
export type LaneModuleAsyncOptions = AsyncOptions<LaneModuleOptions, LaneOptionsFactory>;
