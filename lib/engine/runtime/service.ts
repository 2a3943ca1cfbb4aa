/**
 * The start and stop contract of every part that keeps timers, loops or connections.
 *
 * Starting twice and stopping twice do nothing more, stopping before starting is safe, and a stopped part stays
 * stopped. Parts that keep a loop end it in `onStop`, whose promise callers of `stop` all await.
 *
 * @internal
 */
export abstract class Service {
  #state: 'new' | 'started' | 'stopped' = 'new';
  #stopping: Promise<void> | undefined;

  /** Whether the part was started and not stopped. */
  get isStarted(): boolean {
    return this.#state === 'started';
  }

  /** Begins the work; does its own backgrounding. */
  start(): void {
    if (this.#state !== 'new') {
      return;
    }
    this.#state = 'started';
    this.onStart();
  }

  /** Ends the work; resolves when nothing is left running. */
  stop(): Promise<void> {
    if (this.#stopping === undefined) {
      const wasStarted = this.#state === 'started';
      this.#state = 'stopped';
      this.#stopping = wasStarted ? this.onStop() : Promise.resolve();
    }
    return this.#stopping;
  }

  protected abstract onStart(): void;

  protected abstract onStop(): Promise<void>;
}
