import type { DynamicModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';

import { isQueueDefinition, type QueueDefinition } from '../engine/definition/queue-definition';
import { WorkerHandle } from './control/worker-handle';
import { LaneCoreModule } from './lane-core.module';
import { asWritten, objectAsWritten } from './messages/wording';
import {
  connectionToken,
  DEFAULT_CONNECTION,
  getBackendToken,
  getConnectionOptionsToken,
  getQueueOptionsToken,
  getQueueToken,
  getWorkerToken,
  registrationToken,
} from './lane.tokens';
import type { LaneConnection } from './lifecycle/lane-resources';
import { LaneResources } from './lifecycle/lane-resources';
import { WorkerPool } from './lifecycle/worker-pool';
import { ASYNC_OPTION_NAMES, asyncProviders } from './options/async-options';
import type { LaneModuleAsyncOptions, LaneModuleOptions } from './options/lane-module-options';
import type { RegisterQueueAsyncOptions, RegisterQueueOptions } from './options/register-queue-options';
import { REGISTER_QUEUE_ASYNC_OPTION_NAMES } from './options/register-queue-options';
import { ConnectionRegistration } from './registration/connection-registration';
import { QueueRegistration } from './registration/queue-registration';

/**
 * Job queues for a Nest application.
 *
 * `forRoot` says where jobs are stored, `registerQueue` makes a queue injectable, `@Processor` and `@Process` handle
 * its jobs. Workers start when every bootstrap hook of the application has ended, and stop before the first
 * `onModuleDestroy` hook runs; queues stay open until the last phase of closing.
 *
 * Whatever is wrong with the set-up (an unknown option, a queue that is not registered, two handlers for a name)
 * stops the start with one `LaneConfigError` that lists all of it.
 *
 * @example
 * ```ts
 * @Module({
 *   imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
 *   providers: [EmailProcessor],
 * })
 * export class AppModule {}
 * ```
 *
 * @public
 */
@Module({})
export class LaneModule {
  /**
   * The connection that queues use which name none. Its queues can be registered in any module.
   *
   * @param options - where jobs are stored and what holds for all queues; default: a memory store of its own, which
   * `NODE_ENV=production` does not accept unless it is asked for
   *
   * @example
   * ```ts
   * LaneModule.forRoot({ backend: memory(), defaults: { job: { attempts: 3, backoff: '5s' } } });
   * ```
   */
  static forRoot(options?: LaneModuleOptions): DynamicModule;
  /**
   * A connection with a name, for queues that name it.
   *
   * @example
   * ```ts
   * LaneModule.forRoot('reports', { backend: 'memory:reports' });
   * LaneModule.registerQueue({ name: 'exports', connection: 'reports' });
   * ```
   */
  static forRoot(connection: string, options?: LaneModuleOptions): DynamicModule;
  static forRoot(...args: [LaneModuleOptions?] | [string, LaneModuleOptions?]): DynamicModule {
    const { name, call, options = {} } = namedArguments('forRoot', args);
    const token = registrationToken(connectionToken(name));
    return connectionModule(name, token, [
      { provide: token, useFactory: () => new ConnectionRegistration(call, name, options) },
    ]);
  }

  /**
   * `forRoot` with options that are known only while the application starts.
   *
   * @example
   * ```ts
   * LaneModule.forRootAsync({
   *   imports: [ConfigModule],
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ backend: config.getOrThrow('LANE_URL') }),
   * });
   * ```
   */
  static forRootAsync(options: LaneModuleAsyncOptions): DynamicModule;
  /** A connection with a name; the name decides what is injected where, so it stands before the options. */
  static forRootAsync(connection: string, options: LaneModuleAsyncOptions): DynamicModule;
  static forRootAsync(...args: [LaneModuleAsyncOptions] | [string, LaneModuleAsyncOptions]): DynamicModule {
    const { name, call, options = {} } = namedArguments('forRootAsync', args);
    const token = registrationToken(connectionToken(name));
    const providers = asyncProviders(token, options, 'createLaneOptions', (made, problem) => {
      const registration = new ConnectionRegistration(call, name, made);
      registration.problems.known(options, ASYNC_OPTION_NAMES);
      registration.problems.addAll(problem);
      return registration;
    });
    return connectionModule(name, token, providers, options.imports);
  }

  /**
   * Makes queues injectable where the module is imported. A queue can be registered in any number of modules, with
   * the same options, and is one queue.
   *
   * @param queues - names, definitions, or objects where a queue has options or is on a connection with a name
   *
   * @example
   * ```ts
   * LaneModule.registerQueue('email', Reports, { name: 'thumbnails', defaults: { worker: { concurrency: 4 } } });
   * ```
   */
  static registerQueue(...queues: (string | QueueDefinition | RegisterQueueOptions)[]): DynamicModule {
    // A call without any is one with a name that is missing.
    const given: unknown[] = queues.length === 0 ? [undefined] : queues;
    const parts = given.map((queue) => {
      const isObject = typeof queue === 'object' && queue !== null && !isQueueDefinition(queue);
      const options: Partial<RegisterQueueOptions> = isObject
        ? queue
        : { name: queue as string | QueueDefinition };
      const { name, connection } = options;
      const call = `LaneModule.registerQueue(${isObject ? objectAsWritten(options) : asWritten(queue)})`;
      const token = registrationToken(tokenOf(name, connection));
      return {
        exported: tokensOf(name, connection),
        providers: [
          {
            provide: token,
            useFactory: () => new QueueRegistration(call, name, connection, options, { isMade: false }),
          },
          ...queueProviders(name, connection, token),
        ],
      };
    });
    return {
      module: LaneModule,
      imports: [LaneCoreModule],
      providers: parts.flatMap(({ providers }) => providers),
      exports: parts.flatMap(({ exported }) => exported),
    };
  }

  /**
   * `registerQueue` for one queue whose options are known only while the application starts. Name and connection
   * stand beside the factory; a factory that makes them does not compile, and stops the start.
   *
   * @example
   * ```ts
   * LaneModule.registerQueueAsync({
   *   name: 'exports',
   *   inject: [PlanService],
   *   useFactory: (plan: PlanService) => ({ defaults: { worker: { concurrency: plan.exportSlots() } } }),
   * });
   * ```
   */
  static registerQueueAsync(options: RegisterQueueAsyncOptions): DynamicModule {
    const { name, connection } = options;
    const call = `LaneModule.registerQueueAsync(${objectAsWritten({ name, connection })})`;
    const token = registrationToken(tokenOf(name, connection));
    const providers = asyncProviders(token, options, 'createLaneQueueOptions', (made, problem) => {
      const registration = new QueueRegistration(call, name, connection, made, { isMade: true });
      registration.problems.known(options, REGISTER_QUEUE_ASYNC_OPTION_NAMES);
      registration.problems.addAll(problem);
      return registration;
    });
    return {
      module: LaneModule,
      imports: [LaneCoreModule, ...(options.imports ?? [])],
      providers: [...providers, ...queueProviders(name, connection, token)],
      exports: tokensOf(name, connection),
    };
  }
}

function connectionModule(
  name: string,
  registration: string,
  providers: Provider[],
  imports: DynamicModule['imports'] = [],
): DynamicModule {
  return {
    module: LaneModule,
    global: true,
    imports: [LaneCoreModule, ...imports],
    providers: [
      ...providers,
      {
        provide: connectionToken(name),
        useFactory: (resources: LaneResources, given: ConnectionRegistration) => resources.connect(given),
        inject: [LaneResources, registration],
      },
      {
        provide: getBackendToken(name),
        useFactory: ({ backend }: LaneConnection) => backend,
        inject: [connectionToken(name)],
      },
      {
        provide: getConnectionOptionsToken(name),
        useFactory: ({ registration: given, backend }: LaneConnection): LaneModuleOptions => ({
          ...given.options,
          backend,
        }),
        inject: [connectionToken(name)],
      },
    ],
    // What is there once in an application can be injected everywhere in it.
    exports: [connectionToken(name), getBackendToken(name), getConnectionOptionsToken(name), LaneCoreModule],
  };
}

function queueProviders(name: unknown, connection: unknown, registration: string): Provider[] {
  const queue = {
    provide: tokenOf(name, connection),
    useFactory: (resources: LaneResources, given: QueueRegistration, made: LaneConnection | undefined) =>
      afterOthers(() => resources.queue(given, made)),
    inject: [
      LaneResources,
      registration,
      { token: connectionToken(connectionNameOf(connection)), optional: true },
    ],
  };
  const worker = {
    provide: getWorkerToken(name as string, connectionNameOf(connection)),
    useFactory: (pool: WorkerPool, given: QueueRegistration) =>
      new WorkerHandle(pool, given.name, given.connection),
    inject: [WorkerPool, registration],
  };
  const options = {
    provide: getQueueOptionsToken(name as string, connectionNameOf(connection)),
    useFactory: (given: QueueRegistration) => given.options,
    inject: [registration],
  };
  return [queue, worker, options];
}

function namedArguments<Options>(
  method: string,
  args: readonly [Options?] | readonly [string, Options?],
): { name: string; call: string; options: Options | undefined } {
  const [first, second] = args as [unknown, Options | undefined];
  if (typeof first === 'string' || args.length > 1) {
    const name = first as string;
    return { name, call: `LaneModule.${method}(${asWritten(name)})`, options: second };
  }
  return {
    name: DEFAULT_CONNECTION,
    call: `LaneModule.${method}()`,
    options: first as Options | undefined,
  };
}

/** What `registerQueue` exports of a queue. */
function tokensOf(name: unknown, connection: unknown): string[] {
  const queue = name as string;
  const ofConnection = connectionNameOf(connection);
  return [
    tokenOf(name, connection),
    getWorkerToken(queue, ofConnection),
    getQueueOptionsToken(queue, ofConnection),
  ];
}

function tokenOf(name: unknown, connection: unknown): string {
  return getQueueToken(name as string, connectionNameOf(connection));
}

function connectionNameOf(connection: unknown): string {
  return typeof connection === 'string' ? connection : DEFAULT_CONNECTION;
}

/**
 * What is refused is refused in a later turn. Nest 10 makes our providers anew when a module is loaded later, and calls no
 * hooks of those that it was still at when the load failed.
 */
function afterOthers<Made>(make: () => Made): Made | Promise<Made> {
  try {
    return make();
  } catch (error) {
    return new Promise((_resolve, reject) => setImmediate(reject, error));
  }
}
