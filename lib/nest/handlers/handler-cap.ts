import type { JobRun } from '../../engine/worker/job-executor';
import type { JobHandler } from '../pipeline/handler-factory';

interface Waiting {
  readonly run: JobRun;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Lets a handler have so many jobs at once; more wait their turn, first come first served, in their worker's hands.
 *
 * @internal
 */
export class HandlerCap {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #stopped: Error | undefined;

  constructor(
    private readonly handle: JobHandler,
    private readonly concurrency: number,
  ) {}

  /** Runs the job, now or when it is its turn. */
  run(run: JobRun): unknown {
    if (this.#running < this.concurrency) {
      return this.#start(run);
    }
    return new Promise((resolve, reject) => {
      const waiting = { run, resolve, reject };
      this.#waiting.push(waiting);
      run.onCancelled(() => this.#giveUp(waiting));
      if (this.#stopped !== undefined) {
        this.handBackWaiting(this.#stopped);
      }
    });
  }

  /** Gives back what waits, and what would wait from now on: none of it has begun. */
  handBackWaiting(reason: Error): void {
    this.#stopped = reason;
    for (const { run, reject } of this.#waiting.splice(0)) {
      run.abort(reason);
      reject(reason);
    }
  }

  async #start(run: JobRun): Promise<unknown> {
    this.#running += 1;
    let isHeld = true;
    const free = (): void => {
      if (isHeld) {
        isHeld = false;
        this.#running -= 1;
        this.#startNext();
      }
    };
    // A handler that does not end when its time is over keeps nobody else from running.
    run.onAbandoned(free);
    try {
      return await this.handle(run);
    } finally {
      free();
    }
  }

  /** Ends a job whose turn does not come any more. */
  #giveUp(waiting: Waiting): void {
    const place = this.#waiting.indexOf(waiting);
    if (place !== -1) {
      this.#waiting.splice(place, 1);
      waiting.reject(waiting.run.signal.reason);
    }
  }

  #startNext(): void {
    let next = this.#waiting.shift();
    // What was aborted meanwhile is not this worker's any more.
    while (next?.run.isAborted === true) {
      next.reject(next.run.signal.reason);
      next = this.#waiting.shift();
    }
    next?.resolve(this.#start(next.run));
  }
}
