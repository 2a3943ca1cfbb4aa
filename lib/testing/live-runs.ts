import { AsyncLocalStorage } from 'node:async_hooks';

import type { JobRun } from '../engine/worker/job-executor';
import { jobKind } from './busy-table';

interface LiveRun {
  readonly queue: string;
  readonly run: JobRun;
  readonly crash: (error: Error) => void;
}

interface PlannedFailure {
  readonly name: string;
  readonly error: Error;
  left: number;
}

/**
 * The handlers that run, and what befalls them.
 *
 * @internal
 */
export class LiveRuns {
  readonly #live = new Set<LiveRun>();
  readonly #inside = new AsyncLocalStorage<{ isRunning: boolean }>();
  readonly #failures: PlannedFailure[] = [];
  readonly #counts = new Map<string, number>();
  #isHolding = false;
  #begun = 0;

  /** How many runs have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  /** How many of each kind of job, by the key of `jobKind`. */
  counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }

  /** Whether the caller is part of a handler that has not ended. */
  get isInside(): boolean {
    return this.#inside.getStore()?.isRunning === true;
  }

  /** The jobs whose handlers have not ended, each as `"send" (id 7) of queue "email"`. */
  get running(): string[] {
    return [...this.#live].map(
      ({ run: { job } }) => `job "${job.name}" (id ${job.id}) of queue "${job.queueName}"`,
    );
  }

  /** Has the next runs of a name fail. */
  fail(name: string, error: Error, times: number): void {
    this.#failures.push({ name, error, left: times });
  }

  /** From now on handlers are not begun, but their jobs held; until `false`. */
  hold(isHolding: boolean): void {
    this.#isHolding = isHolding;
  }

  /** The runs of a queue, or all, that have not ended. */
  of(queue: string | undefined): readonly LiveRun[] {
    return [...this.#live].filter((live) => queue === undefined || live.queue === queue);
  }

  /** Runs a job. */
  run(queue: string, run: JobRun, dispatch: (run: JobRun) => unknown): Promise<unknown> {
    this.#begun += 1;
    const kind = jobKind(run.job.queueName, run.job.name);
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    let crash: (error: Error) => void = () => undefined;
    const crashed = new Promise<never>((_, reject) => (crash = reject));
    const live = { queue, run, crash };
    this.#live.add(live);
    const ended = this.#isHolding ? crashed : this.#dispatch(run, dispatch);
    // What a handler does after a crash is nobody's any more, but it has not ended.
    const forget = (): void => void this.#live.delete(live);
    ended.then(forget, forget);
    return Promise.race([ended, crashed]);
  }

  /** Hands a job to its handler, whose adds are known to be its own. */
  async inside(run: JobRun, dispatch: (run: JobRun) => unknown): Promise<unknown> {
    const context = { isRunning: true };
    try {
      return await this.#inside.run(context, () => dispatch(run));
    } finally {
      context.isRunning = false;
    }
  }

  #dispatch(run: JobRun, dispatch: (run: JobRun) => unknown): Promise<unknown> {
    const planned = this.#failures.find(({ name, left }) => name === run.job.name && left > 0);
    if (planned === undefined) {
      return this.inside(run, dispatch);
    }
    planned.left -= 1;
    return Promise.reject(planned.error);
  }
}
