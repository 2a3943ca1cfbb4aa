import type { LaneBackend } from '../contract/queue-backend';
import type { Queue } from '../engine/queue';
import type { JobRun } from '../engine/worker/job-executor';
import type { Worker } from '../engine/worker/worker';
import { checkLimit } from '../engine/queue-arguments';
import { type Duration, durationToMillis } from '../model/duration';
import type { RateLimit } from '../model/rate-limit';
import { resolveWorkerOptions } from '../model/worker-options';
import { LaneSurroundings } from '../nest/lifecycle/lane-surroundings';
import { workerOptionsOf } from '../nest/options/queue-defaults';
import type { WorkerPlan } from '../nest/planning/worker.planner';
import type { ConnectionRegistration } from '../nest/registration/connection-registration';
import { busyTable } from './busy-table';
import { NotIdleError } from './errors/not-idle.error';
import { HeldJobs } from './held-jobs';
import { Journal } from './journal';
import type { LaneTestingMode } from './lane-testing-options';
import { LiveRuns } from './live-runs';
import { keyOf } from './recording';
import { TestClock } from './test-clock';
import { Activity, TestStore } from './test-store';
import { realTime, realWait } from './turns';
import { Turnstile } from './turnstile';

/**
 * How much there may be to do before nothing is.
 *
 * @public
 */
export interface IdleBounds {
  /** Most jobs, each attempt counted. Default 1000. */
  maxJobs?: number;
  /** Most real time, whatever clock the test has; a bare number is milliseconds. Default 4000. */
  maxTime?: Duration;
}

/**
 * A worker of the application, with what it runs jobs by.
 *
 * @internal
 */
export interface TestedWorker {
  readonly plan: WorkerPlan;
  readonly dispatch: (run: JobRun) => unknown;
  readonly limiter: RateLimit | undefined;
}

const MAX_JOBS = 1_000;
/** Less than what runners give a test, so that the table is seen rather than a timeout of theirs. */
const MAX_TIME = 4_000;

/** Milliseconds of real time for handlers when the application closes; after that its bounds pass at once. */
const GRACE = 500;
/** Looks at ready jobs that nobody takes, as the worker was told to take none. */
const LOOKS = 3;

/**
 * Bounds as numbers.
 *
 * @throws InvalidLimitError, InvalidDurationError for what would bound nothing
 *
 * @internal
 */
export function boundsOf({ maxJobs = MAX_JOBS, maxTime = MAX_TIME }: IdleBounds): {
  readonly maxJobs: number;
  readonly maxTime: number;
} {
  checkLimit('maxJobs', maxJobs, 1);
  return { maxJobs, maxTime: durationToMillis('maxTime', maxTime) };
}

/**
 * What an application under test stands on: a store in memory for each connection, a clock that the test moves, and
 * notes of what happens.
 *
 * @internal
 */
export class TestSurroundings extends LaneSurroundings {
  override readonly clock: TestClock;
  /** Nobody else is there who might have a handler. */
  override readonly unknownJob = 'fail';
  readonly journal = new Journal();
  readonly held = new HeldJobs();
  readonly runs = new LiveRuns();
  readonly activity = new Activity();
  readonly turnstile: Turnstile;
  readonly workers = new Map<string, TestedWorker>();
  readonly #stores = new Map<string, TestStore>();
  readonly #queues: { readonly queue: string; readonly connection: string }[] = [];
  /** Before the application is started, nobody knows who is going to work on what. */
  isStarted = false;

  constructor(
    readonly mode: LaneTestingMode,
    now: number,
  ) {
    super();
    this.turnstile = new Turnstile(mode !== 'manual');
    this.clock = new TestClock(now, mode === 'auto', () =>
      mode === 'inline' ? this.untilIdle() : this.rest(),
    );
  }

  override backendOf({ name, problems }: ConnectionRegistration): Promise<LaneBackend | undefined> {
    if (!problems.isEmpty) {
      return Promise.resolve(undefined);
    }
    const store = this.#stores.get(name) ?? new TestStore(name, this, this.activity);
    this.#stores.set(name, store);
    return Promise.resolve(store);
  }

  override queueMade(queue: Queue, connection: string): void {
    this.#queues.push({ queue: queue.name, connection });
    if (this.mode !== 'inline') {
      return;
    }
    const add = queue.add.bind(queue);
    const addBulk = queue.addBulk.bind(queue);
    queue.add = async (...args) => this.#whenRun(await add(...args));
    queue.addBulk = async (...args) => this.#whenRun(await addBulk(...args));
  }

  override processing(plan: WorkerPlan, dispatch: (run: JobRun) => unknown): (run: JobRun) => unknown {
    const key = keyOf(plan.queue, plan.connection);
    const { limiter } = resolveWorkerOptions(workerOptionsOf(plan.options), '@Processor');
    this.workers.set(key, { plan, dispatch, limiter });
    return (run) => this.runs.run(key, run, dispatch);
  }

  override workerMade(worker: Worker): void {
    let isClosed = false;
    worker.on('closed', () => (isClosed = true));
    worker.on('closing', () => void this.#hurry(() => isClosed));
  }

  /** Handles on queues that are open. */
  get openHandles(): string[] {
    return [...this.#stores.values()].flatMap(({ openHandles }) => openHandles);
  }

  /** Waits until nothing is under way in the stores. */
  rest(): Promise<void> {
    return this.activity.rest(MAX_TIME);
  }

  /** The jobs that workers could take right now, by queue. */
  ready(): { readonly key: string; readonly queue: string; readonly names: readonly string[] }[] {
    const places = this.isStarted ? [...this.workers.values()].map(({ plan }) => plan) : this.#queues;
    return places.map(({ queue, connection }) => {
      const key = keyOf(queue, connection);
      const limiter = this.workers.get(key)?.limiter;
      return { key, queue, names: this.#stores.get(connection)?.readyJobs(queue, limiter) ?? [] };
    });
  }

  /** What can run or runs right now, one line each. */
  busy(only?: string): string[] {
    const held = this.held
      .present()
      .filter(({ place }) => only === undefined || keyOf(place.queue, place.connection) === only)
      .map(({ place, id, name }) => `job "${name}" (id ${id}) of queue "${place.queue}" runs`);
    const ready = this.ready()
      .filter(({ key }) => only === undefined || key === only)
      .flatMap(({ queue, names }) => names.map((name) => `job "${name}" of queue "${queue}" is ready`));
    return [...held, ...ready];
  }

  /**
   * Waits until nothing is left that could run, or that is let through.
   *
   * @param jobs - how many are let through at most, where fewer than all are wanted
   * @throws NotIdleError when there is more to do than the bounds allow
   */
  async untilIdle({ maxJobs, maxTime } = boundsOf({}), jobs?: number): Promise<void> {
    const end = realTime() + maxTime;
    const before = this.runs.counts();
    const begun = this.runs.begun;
    for (let looks = 0; looks < LOOKS;) {
      await this.activity.rest(Math.max(1, end - realTime()));
      const isHeld = this.held.present().length > 0;
      const isReady = this.ready().some(({ names }) => names.length > 0);
      const taken = this.runs.begun - begun;
      if (!isHeld && (!isReady || (jobs !== undefined && taken >= jobs))) {
        return;
      }
      if (taken >= maxJobs && isReady && (!isHeld || taken > maxJobs)) {
        throw this.#notIdle(`${maxJobs} jobs have run, and there are more.`, before);
      }
      if (realTime() >= end) {
        throw this.#notIdle(`after ${maxTime} ms there is still something to do.`, before);
      }
      looks = isHeld ? 0 : looks + 1;
      await realWait(1);
    }
  }

  #notIdle(bound: string, before: ReadonlyMap<string, number>): NotIdleError {
    return new NotIdleError(bound, busyTable(before, this.runs.counts(), this.held.present(), this.ready()));
  }

  /** An add inside a handler cannot wait: its job may run only after the handler has ended. */
  async #whenRun<T>(added: T): Promise<T> {
    if (!this.runs.isInside && this.workers.size > 0) {
      await this.untilIdle();
    }
    return added;
  }

  /** No test waits for the bounds of a close: what has not ended after a grace is treated as if they were over. */
  async #hurry(isClosed: () => boolean): Promise<void> {
    const end = realTime() + GRACE;
    while (!isClosed()) {
      await realWait(2);
      if (realTime() >= end) {
        this.clock.skip();
      }
    }
  }
}
