import type { QueueDefinition } from '../../engine/definition/queue-definition';
import type { AsyncOptions } from './async-options';
import { ASYNC_OPTION_NAMES } from './async-options';
import type { QueueDefaults } from './queue-defaults';

/**
 * A queue to register. Registered in several places it is one queue, so its options must be the same in all of them.
 *
 * @public
 */
export interface RegisterQueueOptions {
  /** Any text without a colon, or the queue's definition. */
  name: string | QueueDefinition;
  /** Name that was given to the `forRoot` of its connection. Default: the connection without a name. */
  connection?: string;
  /** Options for the jobs and the worker of this queue. */
  defaults?: QueueDefaults;
  /**
   * Most jobs of the queue that are active at once, in all processes together. It is stored with the queue when the
   * application starts, whatever its role, where another number is stored; leaving it out leaves what is stored. Default:
   * what is stored.
   */
  globalConcurrency?: number;
}

/** @internal */
export const REGISTER_QUEUE_OPTION_NAMES: readonly (keyof RegisterQueueOptions)[] = [
  'name',
  'connection',
  'defaults',
  'globalConcurrency',
];

/**
 * What a factory of `registerQueueAsync` makes. Name and connection stand beside the factory, since they decide
 * what is injected where, before any factory runs.
 *
 * @public
 */
export interface QueueFactoryOptions {
  /** Options for the jobs and the worker of this queue. */
  defaults?: QueueDefaults;
  /** See `RegisterQueueOptions`. */
  globalConcurrency?: number;
  /** Belongs beside the factory. */
  name?: never;
  /** Belongs beside the factory. */
  connection?: never;
}

/** @internal */
export const QUEUE_FACTORY_OPTION_NAMES: readonly (keyof QueueFactoryOptions)[] = [
  'defaults',
  'globalConcurrency',
];

/**
 * A class that makes the options of a queue, for `useClass` and `useExisting`.
 *
 * @public
 */
export interface LaneQueueOptionsFactory {
  createLaneQueueOptions(): QueueFactoryOptions | Promise<QueueFactoryOptions>;
}

/**
 * Options of `LaneModule.registerQueueAsync`.
 *
 * @public
 */
export interface RegisterQueueAsyncOptions extends AsyncOptions<
  QueueFactoryOptions,
  LaneQueueOptionsFactory
> {
  /** Any text without a colon, or the queue's definition. */
  name: string | QueueDefinition;
  /** Name that was given to the `forRoot` of its connection. Default: the connection without a name. */
  connection?: string;
}

/** @internal */
export const REGISTER_QUEUE_ASYNC_OPTION_NAMES: readonly (keyof RegisterQueueAsyncOptions)[] = [
  'name',
  'connection',
  ...ASYNC_OPTION_NAMES,
];
