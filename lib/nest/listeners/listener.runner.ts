import { Logger } from '@nestjs/common';

import { asError } from '../../engine/runtime/safe-emitter';
import { isThenable } from '../../model/thenable';
import { capitalized, queueNamed } from '../messages/wording';
import { stackOf } from '../lifecycle/stack-of';
import type { InstanceSource } from '../scopes/instance-source';

/**
 * A method that is told of something.
 *
 * @internal
 */
export interface ListenerMethod {
  /** The objects whose method it is. */
  readonly instances: InstanceSource;
  readonly method: string | symbol;
  /** Such as `EmailProcessor.onFailed`. */
  readonly label: string;
}

/**
 * What a listener is told of.
 *
 * @internal
 */
export interface Heard {
  readonly queue: string;
  readonly connection: string;
  /** Such as `failed`; `exhausted` for `@OnJobExhausted`. */
  readonly event: string;
}

/**
 * What is told.
 *
 * @internal
 */
export interface Told {
  readonly args: readonly unknown[];
  /**
   * What `REQUEST` is in a class of which an object is made for each event; called for such a class only. Listeners that
   * are given the same one share the object.
   */
  readonly request: () => object;
}

/**
 * A listener that has failed, that is, thrown, rejected or taken too long, and how often it did.
 *
 * @public
 */
export interface ListenerFailures {
  /** Class and method, such as `EmailEvents.onFailed`. */
  readonly listener: string;
  /** What it was told of; `exhausted` for `@OnJobExhausted`, `*` for `this.queueEvents` of a host. */
  readonly event: string;
  /** The queue's name. */
  readonly queue: string;
  /** Name of its connection; `default` for the one without a name. */
  readonly connection: string;
  /** How often since the application was made. */
  readonly count: number;
}

/**
 * Calls the listeners of an application, whatever they listen to. What they throw or reject with ends here: it is logged
 * with queue, event and method, and counted.
 *
 * @internal
 */
export class ListenerRunner {
  readonly #logger = new Logger('LaneModule');
  readonly #failures = new Map<string, ListenerFailures>();
  readonly #running = new Set<Promise<unknown>>();

  /** Listeners that have failed, in the order in which they first did. */
  get failures(): ListenerFailures[] {
    return [...this.#failures.values()].map((failures) => ({ ...failures }));
  }

  /**
   * Calls a listener.
   *
   * @returns when an asynchronous one has ended, well or badly; `undefined` for any other. Never throws or rejects.
   */
  run(listener: ListenerMethod, heard: Heard, { args, request }: Told): Promise<void> | undefined {
    try {
      // Looked up at each call, so that a method that is replaced on the object, as by a test, is the one that runs.
      const call = (instance: object): unknown =>
        (instance as Record<string | symbol, (...args: unknown[]) => unknown>)[listener.method]!(...args);
      const { shared } = listener.instances;
      const returned =
        shared === undefined
          ? listener.instances.resolve(request()).then(({ instance }) => call(instance))
          : call(shared);
      return isThenable(returned) ? this.#watch(returned, listener, heard) : undefined;
    } catch (error) {
      this.failed(listener, heard, error);
      return undefined;
    }
  }

  /** Notes that a listener has failed. Never throws. */
  failed(
    { label }: Pick<ListenerMethod, 'label'>,
    { queue, connection, event }: Heard,
    error: unknown,
  ): void {
    const key = JSON.stringify([label, event, queue, connection]);
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    this.#failures.set(key, { listener: label, event, queue, connection, count });
    try {
      this.#logger.error(
        `${capitalized(queueNamed(queue, connection))}: listener ${label} of "${event}" failed: ${asError(error).message}`,
        stackOf(error),
      );
    } catch {
      // A logger of the application's own that throws is no better than one that writes nothing.
    }
  }

  /** Resolves when every listener has ended that runs now. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #watch(returned: PromiseLike<unknown>, listener: ListenerMethod, heard: Heard): Promise<void> {
    const ended = Promise.resolve(returned)
      .then(
        () => undefined,
        (error: unknown) => this.failed(listener, heard, error),
      )
      .finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return ended;
  }
}
