import { EventEmitter } from 'node:events';
import { types } from 'node:util';

import { textProperty } from '../../model/errors/text-property';
import { isThenable } from '../../model/thenable';

type Listener = (...args: unknown[]) => unknown;

/**
 * Event names with the argument list of each.
 *
 * @public
 */
export type EventMap<Events> = { [Name in keyof Events]: unknown[] };

/**
 * An emitter whose listeners cannot harm it: what a listener throws, or rejects with, becomes an `error` event, and
 * an `error` event that nobody listens to, or whose listener throws, is written to the console.
 *
 * @typeParam Events - event names with their argument lists
 *
 * @public
 */
export class SafeEmitter<Events extends EventMap<Events>> extends EventEmitter {
  readonly #description: string;

  /** @param description - the owner, such as `Queue "email"`, for what is written to the console */
  constructor(description: string) {
    super();
    this.#description = description;
    this.setMaxListeners(0);
  }

  /** Calls the listener at each event of that name. */
  override on<Name extends keyof Events & string>(
    name: Name,
    listener: (...args: Events[Name]) => unknown,
  ): this {
    return super.on(name, listener as Listener);
  }

  /** Calls the listener at the next event of that name. */
  override once<Name extends keyof Events & string>(
    name: Name,
    listener: (...args: Events[Name]) => unknown,
  ): this {
    return super.once(name, listener as Listener);
  }

  /** Takes a listener back. */
  override off<Name extends keyof Events & string>(
    name: Name,
    listener: (...args: Events[Name]) => unknown,
  ): this {
    return super.off(name, listener as Listener);
  }

  /**
   * Calls the listeners of an event, each of them whatever the others do.
   *
   * @returns whether there were any
   */
  override emit<Name extends keyof Events & string>(name: Name, ...args: Events[Name]): boolean {
    return this.#dispatch(name, args);
  }

  #dispatch(name: string, args: readonly unknown[]): boolean {
    if (this.listenerCount(name) === 0) {
      if (name === 'error') {
        this.#print(args[0]);
      }
      return false;
    }
    for (const listener of this.rawListeners(name) as Listener[]) {
      try {
        const result = listener.apply(this, args as unknown[]);
        if (isThenable(result)) {
          result.then(undefined, (error: unknown) => this.#listenerFailed(name, error));
        }
      } catch (error) {
        this.#listenerFailed(name, error);
      }
    }
    return true;
  }

  #listenerFailed(name: string, error: unknown): void {
    if (name === 'error') {
      this.#print(error);
    } else {
      this.#dispatch('error', [asError(error)]);
    }
  }

  #print(error: unknown): void {
    // eslint-disable-next-line no-console -- an error that nobody listens to must not vanish
    console.error(`${this.#description}: ${describe(asError(error))}`);
  }
}

/**
 * Whatever was thrown, as an `Error` whose message is a text. Never throws.
 *
 * @internal
 */
export function asError(thrown: unknown): Error {
  if (typeof thrown === 'string') {
    return new Error(thrown);
  }
  // An error of another realm (a test runner's sandbox, a vm context) is not an instance of this one's Error.
  const isError = types.isNativeError(thrown) || textProperty(thrown, 'stack') !== undefined;
  const message = textProperty(thrown, 'message');
  if (message === undefined) {
    return isError
      ? new Error('An error whose message is not a text was thrown', { cause: thrown })
      : new Error(`A value that is not an error was thrown: ${typeof thrown}`);
  }
  if (isError) {
    return thrown as Error;
  }
  // Some libraries throw plain objects that only resemble errors.
  const error = new Error(message, { cause: thrown });
  const name = textProperty(thrown, 'name');
  return name === undefined ? error : Object.assign(error, { name });
}

function describe(error: Error): string {
  return textProperty(error, 'stack') ?? textProperty(error, 'message') ?? 'an error that cannot be read';
}
