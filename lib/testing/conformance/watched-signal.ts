/**
 * An abort signal that knows how many listeners it has.
 *
 * @public
 */
export class WatchedSignal {
  readonly #controller = new AbortController();
  readonly #listeners = new Set<unknown>();

  constructor() {
    const { signal } = this.#controller;
    const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
    const remove = signal.removeEventListener.bind(signal) as (...args: unknown[]) => void;
    Object.assign(signal, {
      addEventListener: (...args: unknown[]) => {
        this.#listeners.add(args[1]);
        add(...args);
      },
      removeEventListener: (...args: unknown[]) => {
        this.#listeners.delete(args[1]);
        remove(...args);
      },
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  abort(): void {
    this.#controller.abort();
  }
}
