import { queueNameOf, type QueueDefinition } from '../engine/definition/queue-definition';

/**
 * Name of the connection that needs no name.
 *
 * @internal
 */
export const DEFAULT_CONNECTION = 'default';

/**
 * The injection token of a queue, for `moduleRef.get()`, `overrideProvider()` and hand-written providers. It is a
 * text that reads well where Nest prints it: `LaneQueue("email")`.
 *
 * @param queue - the queue's name, or its definition
 * @param connection - name of its connection; default: the one without a name
 *
 * @example
 * ```ts
 * const queue = app.get<Queue>(getQueueToken('email'));
 * ```
 *
 * @public
 */
export function getQueueToken(
  queue: string | QueueDefinition,
  connection: string = DEFAULT_CONNECTION,
): string {
  const name = queueNameOf(queue) as string;
  return connection === DEFAULT_CONNECTION
    ? `LaneQueue(${JSON.stringify(name)})`
    : `LaneQueue(${JSON.stringify(name)}, connection ${JSON.stringify(connection)})`;
}

/**
 * The injection token of the worker of a queue in this process, which is a `WorkerHandle`.
 *
 * @param queue - the queue's name, or its definition
 * @param connection - name of its connection; default: the one without a name
 *
 * @public
 */
export function getWorkerToken(
  queue: string | QueueDefinition,
  connection: string = DEFAULT_CONNECTION,
): string {
  return getQueueToken(queue, connection).replace('LaneQueue', 'LaneWorker');
}

/**
 * The injection token of the options with which a queue was registered (`RegisterQueueOptions`), once they are known and
 * checked.
 *
 * @param queue - the queue's name, or its definition
 * @param connection - name of its connection; default: the one without a name
 *
 * @public
 */
export function getQueueOptionsToken(
  queue: string | QueueDefinition,
  connection: string = DEFAULT_CONNECTION,
): string {
  return getQueueToken(queue, connection).replace('LaneQueue', 'LaneQueueOptions');
}

/**
 * The injection token of the backend of a connection, such as for a `Worker` of one's own on the same store.
 *
 * @param connection - its name; default: the one without a name
 *
 * @public
 */
export function getBackendToken(connection: string = DEFAULT_CONNECTION): string {
  return `LaneBackend(${JSON.stringify(connection)})`;
}

/**
 * The injection token of the options of a connection (`LaneModuleOptions`), once they are known and checked, with their
 * defaults.
 *
 * @param connection - its name; default: the one without a name
 *
 * @public
 */
export function getConnectionOptionsToken(connection: string = DEFAULT_CONNECTION): string {
  return `LaneConnectionOptions(${JSON.stringify(connection)})`;
}

/**
 * The injection token of a connection.
 *
 * @internal
 */
export function connectionToken(connection: string): string {
  return `LaneConnection(${JSON.stringify(connection)})`;
}

/**
 * The injection token under which a global module puts other surroundings in place of those of an application.
 *
 * @internal
 */
export const LANE_SURROUNDINGS = 'LaneSurroundings';

let registrations = 0;

/**
 * A token for what one call of `forRoot` or `registerQueue` was given. Each call has its own, so that Nest 10 and
 * 11+ agree on what is the same module: one call is one module node, however often it is imported.
 *
 * @internal
 */
export function registrationToken(subject: string): string {
  registrations += 1;
  return `${subject} #${registrations}`;
}
