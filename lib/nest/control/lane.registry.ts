import { isOptionsObject } from '../../model/option-names';
import type { Queue } from '../../engine/queue';
import { queueNameOf, type QueueDefinition } from '../../engine/definition/queue-definition';
import { asWritten } from '../messages/wording';
import type { LaneResources } from '../lifecycle/lane-resources';
import type { WorkerPool } from '../lifecycle/worker-pool';
import type { RegisterQueueOptions } from '../options/register-queue-options';
import type { LaneRole } from '../options/work-options';
import { QueueRegistration } from '../registration/queue-registration';
import { WorkerHandle } from './worker-handle';

/**
 * A connection of the application.
 *
 * @public
 */
export interface ConnectionView {
  /** `default` for the one without a name. */
  readonly name: string;
  /** Kind of its backend, such as `memory` or `redis`. */
  readonly backend: string;
  readonly role: LaneRole;
}

/**
 * A queue of the application.
 *
 * @public
 */
export interface QueueView {
  readonly name: string;
  /** Name of its connection; `default` for the one without a name. */
  readonly connection: string;
  readonly queue: Queue;
}

/**
 * What the application has of ours: its connections, queues and workers. It can be injected wherever
 * `LaneModule.forRoot` is imported.
 *
 * @example
 * ```ts
 * const queue = this.registry.queue(`tenant-${tenant}`);
 * await queue.add('welcome', {});
 * ```
 *
 * @public
 */
export class LaneRegistry {
  readonly #resources: LaneResources;
  readonly #pool: WorkerPool;

  /** @internal */
  constructor(resources: LaneResources, pool: WorkerPool) {
    this.#resources = resources;
    this.#pool = pool;
  }

  /** The connections, by name. */
  get connections(): readonly ConnectionView[] {
    return this.#resources.connections.map(({ registration, backend }) => ({
      name: registration.name,
      backend: backend.kind,
      role: registration.work.role,
    }));
  }

  /** The queues, those of modules and those that were made at run time. */
  get queues(): readonly QueueView[] {
    return this.#resources.queues.map(({ name, connection, queue }) => ({ name, connection, queue }));
  }

  /** The workers of this process, whether they run or not; none before modules have initialised. */
  get workers(): readonly WorkerHandle[] {
    return this.#pool.workers.map(({ plan }) => new WorkerHandle(this.#pool, plan.queue, plan.connection));
  }

  /**
   * The queue of that name. Where no module has registered it, it is made, with the defaults of its connection, and closed
   * with the application as others are; the next call gives the same one.
   *
   * @param name - any text without a colon, or the definition of a queue
   * @param options - `connection`, and what `registerQueue` takes; default: those that the queue has
   * @throws LaneConfigError for options that are wrong, a connection that there is not, or other options than the queue
   * has
   * @throws QueueClosedError when the application is closed
   */
  queue(name: string | QueueDefinition, options: Omit<RegisterQueueOptions, 'name'> = {}): Queue {
    const { connection, ...others } = isOptionsObject(options) ? options : {};
    const registration = new QueueRegistration(
      `LaneRegistry.queue(${asWritten(queueNameOf(name))})`,
      name,
      connection,
      isOptionsObject(options) ? { ...options, name } : options,
      { isMade: false },
    );
    const hasOptions = Object.values(others).some((option) => option !== undefined);
    return this.#resources.queueAtRunTime(registration, { hasOptions });
  }
}
