import { Logger } from '@nestjs/common';
import { concat, defer, Subject, type Observable } from 'rxjs';

import { systemClock } from '../../contract/clock';
import type { LaneBackend } from '../../contract/queue-backend';
import { Queue } from '../../engine/queue';
import { endsWithin } from '../../engine/runtime/wait';
import { isLaneError } from '../../model/errors/lane-error';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import { surroundingHeaders } from '../context/surrounding-headers';
import { problemOf } from '../errors/config-problem';
import { LaneConfigError } from '../errors/lane-config.error';
import { LaneConnectionError } from '../errors/lane-connection.error';
import { noConnection, queueConflict } from '../messages/registration.messages';
import { capitalized, queueNamed } from '../messages/wording';
import { startsWithout } from '../messages/worker.messages';
import { getQueueToken } from '../lane.tokens';
import type { ConnectionRegistration } from '../registration/connection-registration';
import type { QueueRegistration } from '../registration/queue-registration';
import { checkConnection } from './connection-check';
import type { LaneSurroundings } from './lane-surroundings';
import { refusingBackend } from './refusing-backend';
import { stackOf } from './stack-of';

/**
 * A connection of the application, once its backend is there.
 *
 * @internal
 */
export interface LaneConnection {
  readonly registration: ConnectionRegistration;
  readonly backend: LaneBackend;
  readonly surroundings: LaneSurroundings;
}

/**
 * A queue of the application.
 *
 * @internal
 */
export interface LaneQueue {
  readonly name: string;
  readonly connection: string;
  readonly registration: QueueRegistration;
  /** Whether it was asked for while the application ran, rather than registered by a module. */
  readonly isRunTime: boolean;
  readonly queue: Queue;
  /** Milliseconds in which it has to close. */
  readonly closeWithin: number;
}

/**
 * The connections and queues of one application. However often one is registered, it is one object; the first
 * registration makes it, and the start checks that the others agree.
 *
 * @internal
 */
export class LaneResources {
  readonly #logger = new Logger('LaneModule');
  readonly #connections = new Map<string, Promise<LaneConnection>>();
  readonly #made: LaneConnection[] = [];
  readonly #queues = new Map<string, LaneQueue>();
  readonly #added = new Subject<LaneQueue>();
  #checkLate: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(private readonly surroundings: LaneSurroundings) {}

  /** Has everything that is registered from now on checked at once, since the check of the start is over. */
  checkLateRegistrations(check: () => void): void {
    this.#checkLate = check;
  }

  /** The connections whose backends are there, by name: Nest makes them in an order of its own. */
  get connections(): readonly LaneConnection[] {
    return [...this.#made].sort((left, right) => (left.registration.name < right.registration.name ? -1 : 1));
  }

  /** The queues that there are, by name and connection. */
  get queues(): readonly LaneQueue[] {
    return [...this.#queues.values()].sort(
      (left, right) => left.name.localeCompare(right.name) || left.connection.localeCompare(right.connection),
    );
  }

  /** The queues that there are, then those that come; completes when they close. */
  get queues$(): Observable<LaneQueue> {
    return defer(() => concat(this.queues, this.#added));
  }

  /** The connection of that name; its backend is resolved once. */
  connect(registration: ConnectionRegistration): Promise<LaneConnection> {
    let connection = this.#connections.get(registration.name);
    if (connection === undefined) {
      connection = this.#connect(registration);
      this.#connections.set(registration.name, connection);
    }
    return connection;
  }

  /** The connection of that name, if there is one. */
  connection(name: string): Promise<LaneConnection> | undefined {
    return this.#connections.get(name);
  }

  /**
   * The queue of that name and connection.
   *
   * @throws LaneConfigError when it cannot be, and the start is over; before, the start will tell
   */
  queue(registration: QueueRegistration, connection: LaneConnection | undefined): Queue {
    const { queue } =
      this.#queues.get(tokenOf(registration)) ?? this.#open(registration, connection, { isRunTime: false });
    this.#checkLate?.();
    return queue;
  }

  /**
   * The queue of that name and connection, for somebody who asks by hand.
   *
   * @throws LaneConfigError when there can be none, or there is one with other options
   * @throws QueueClosedError when the queues are closed and it would be a new one
   */
  queueAtRunTime(registration: QueueRegistration, { hasOptions }: { hasOptions: boolean }): Queue {
    const { name, connection, call, problems } = registration;
    const entry = this.#queues.get(tokenOf(registration));
    if (entry !== undefined && hasOptions && !entry.registration.agreesWith(registration)) {
      problems.add(queueConflict(name, connection));
    }
    const made = this.#made.find((one) => one.registration.name === connection);
    if (made === undefined && problems.isEmpty) {
      problems.add(
        noConnection(
          name,
          connection,
          this.#made.map((one) => one.registration.name),
        ),
      );
    }
    if (!problems.isEmpty) {
      throw new LaneConfigError(problems.at(call), `${call} was refused`);
    }
    if (entry === undefined && this.#closing !== undefined) {
      throw new QueueClosedError('The application', call);
    }
    return (entry ?? this.#open(registration, made, { isRunTime: true })).queue;
  }

  /** The queues that come up from now on. */
  get added$(): Observable<LaneQueue> {
    return this.#added.asObservable();
  }

  /** The queue of that name and connection, if it is registered. */
  find(name: string, connection: string): Queue | undefined {
    return this.#queues.get(getQueueToken(name, connection))?.queue;
  }

  /**
   * Asks the servers of the connections that have queues, all at once; warns of those that may be away.
   *
   * @returns names of those that are away
   * @throws LaneConnectionError when one that has to be there cannot be used
   */
  async checkConnections(): Promise<ReadonlySet<string>> {
    const queueOf = new Map(
      [...this.#queues.values()].map(({ connection, queue }) => [connection, queue.name]),
    );
    const away = new Set<string>();
    const failures = await Promise.all(
      [...this.#connections].map(async ([name, made]) => {
        const { backend, registration } = await made;
        const queue = queueOf.get(name);
        const error = queue === undefined ? undefined : await checkConnection(backend, queue);
        if (error === undefined) {
          return [];
        }
        if (registration.requireConnection === false) {
          this.#logger.warn(startsWithout(name, error));
          away.add(name);
          return [];
        }
        return [{ connection: name, error }];
      }),
    );
    if (failures.flat().length > 0) {
      // Nest makes connections in an order of its own.
      const byName = failures.flat().sort((left, right) => left.connection.localeCompare(right.connection));
      throw new LaneConnectionError(byName);
    }
    return away;
  }

  /**
   * Closes the queues; never throws.
   *
   * @param within - milliseconds for which they are waited for, each no longer than its `shutdown.close`
   */
  close(within: number): Promise<void> {
    this.#added.complete();
    this.#closing ??= Promise.all(
      [...this.#queues.values()].map(({ queue, closeWithin }) =>
        endsWithin(systemClock, queue.close(), Math.min(closeWithin, within)),
      ),
    ).then(() => undefined);
    return this.#closing;
  }

  async #connect(registration: ConnectionRegistration): Promise<LaneConnection> {
    const { problems, call } = registration;
    const backend = await this.#resolve(registration);
    const made: LaneConnection = {
      registration,
      surroundings: this.surroundings,
      backend: backend ?? refusingBackend(new LaneConfigError(problems.at(call))),
    };
    this.#made.push(made);
    return made;
  }

  async #resolve(registration: ConnectionRegistration): Promise<LaneBackend | undefined> {
    try {
      return await this.surroundings.backendOf(registration);
    } catch (error) {
      if (!isLaneError(error)) {
        throw error;
      }
      registration.problems.add(problemOf(error), 'backend');
      return undefined;
    }
  }

  #open(
    registration: QueueRegistration,
    connection: LaneConnection | undefined,
    { isRunTime }: { isRunTime: boolean },
  ): LaneQueue {
    const entry: LaneQueue = {
      name: registration.name,
      connection: registration.connection,
      registration,
      isRunTime,
      queue: this.#makeQueue(registration, connection, isRunTime),
      closeWithin: connection?.registration.shutdown.close ?? 0,
    };
    this.#queues.set(tokenOf(registration), entry);
    this.#added.next(entry);
    return entry;
  }

  #makeQueue(
    registration: QueueRegistration,
    connection: LaneConnection | undefined,
    isRunTime: boolean,
  ): Queue {
    const { name, definition, defaults, problems, call } = registration;
    const openOn = (backend: LaneBackend): Queue =>
      new Queue(definition ?? (name === '' ? 'unusable' : name), {
        backend,
        defaultJobOptions: { ...connection?.registration.defaults.job, ...defaults.job },
        addTimeout: defaults.addTimeout ?? connection?.registration.defaults.addTimeout,
        clock: this.surroundings.clock,
      });
    const refusing = (wrong = problems.at(call)): Queue =>
      openOn(refusingBackend(new LaneConfigError(wrong)));
    let queue: Queue;
    if (connection === undefined) {
      const missing = { ...noConnection(name, registration.connection, []), where: [call] };
      queue = refusing([...problems.at(call), missing]);
    } else if (!problems.isEmpty) {
      queue = refusing();
    } else {
      try {
        queue = openOn(connection.backend);
      } catch (error) {
        // Of a queue that a module registers, the start tells what its backend has against it.
        if (isRunTime || !isLaneError(error)) {
          throw error;
        }
        problems.add(problemOf(error));
        queue = refusing();
      }
    }
    this.surroundings.queueMade(queue, registration.connection);
    const around = connection?.registration.headers;
    if (around !== undefined) {
      queue.surroundWith(() => surroundingHeaders(around));
    }
    const subject = capitalized(queueNamed(name, registration.connection));
    queue.on('error', (error) => this.#logger.error(`${subject}: ${error.message}`, stackOf(error)));
    return queue;
  }
}

function tokenOf({ name, connection }: QueueRegistration): string {
  return getQueueToken(name, connection);
}
