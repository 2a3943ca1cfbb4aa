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
      // Set first: what onStop aborts may call stop() in its turn, and then has to wait like everybody else.
      let settle: (ended: Promise<void>) => void = () => undefined;
      this.#stopping = new Promise((resolve) => (settle = resolve));
      settle(this.#end(wasStarted));
    }
    return this.#stopping;
  }

  async #end(wasStarted: boolean): Promise<void> {
    if (wasStarted) {
      await this.onStop();
    }
  }

  protected abstract onStart(): void;

  protected abstract onStop(): Promise<void>;
}
