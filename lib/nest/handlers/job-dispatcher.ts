import type { Job } from '../../engine/job';
import { DefinedRuns } from '../../engine/definition/defined-runs';
import type { JobRun } from '../../engine/worker/job-executor';
import { type JobOutcome, release } from '../../engine/worker/outcome-values';
import { NoHandlerError } from '../../model/errors/no-handler.error';
import { WorkerClosingError } from '../../model/errors/worker-closing.error';
import { after } from '../../model/thenable';
import type { WorkerPlan } from '../planning/worker.planner';
import type { PlannedHandler } from '../planning/processor-check';
import { HandlerCap } from './handler-cap';
import type { JobHandler } from '../pipeline/handler-factory';

/**
 * What becomes of jobs whose name no handler takes.
 *
 * @internal
 */
export interface UnknownJobs {
  /** Whether they are held back for others, some times, before they fail. */
  readonly releases: boolean;
  /**
   * Told once for each name that a job is held back.
   *
   * @param known - the names that have a handler
   */
  onRelease(name: string, known: readonly string[]): void;
}

/** Names that are told of; who makes up names has heard enough by then. */
const MOST_NAMES = 1_000;

/**
 * Hands the jobs of a queue to the handlers of their names.
 *
 * @internal
 */
export class JobDispatcher {
  readonly #handlers = new Map<string, JobHandler>();
  readonly #caps: HandlerCap[] = [];
  readonly #released = new Set<string>();
  readonly #defined: DefinedRuns | undefined;
  #ofOtherNames: JobHandler | undefined;
  private readonly queue: string;

  constructor(
    { queue, handlers, definition }: Pick<WorkerPlan, 'queue' | 'handlers' | 'definition'>,
    private readonly create: (handler: PlannedHandler) => JobHandler,
    private readonly unknown: UnknownJobs,
  ) {
    this.queue = queue;
    this.#defined = definition && new DefinedRuns(definition);
    this.add(handlers);
  }

  /** Has more handlers take the jobs of their names. */
  add(handlers: readonly PlannedHandler[]): void {
    for (const handler of handlers) {
      const handle = this.#capped(
        timed(prepared(this.create(handler), this.#defined), handler.timeout),
        handler.concurrency,
      );
      if (handler.name === undefined) {
        this.#ofOtherNames = handle;
      } else {
        this.#handlers.set(handler.name, handle);
      }
    }
  }

  /**
   * Runs a job.
   *
   * @throws NoHandlerError when no handler takes its name, and it is not held back (any more)
   */
  dispatch(run: JobRun): unknown {
    const handle = this.#handlers.get(run.job.name) ?? this.#ofOtherNames;
    return handle === undefined ? this.#release(run.job) : handle(run);
  }

  #release({ name, unhandled }: Job): JobOutcome {
    const released = this.unknown.releases ? release(unhandled) : undefined;
    const known = [...this.#handlers.keys()];
    if (released === undefined) {
      throw new NoHandlerError(name, this.queue, known);
    }
    if (!this.#released.has(name) && this.#released.size < MOST_NAMES) {
      this.#released.add(name);
      this.unknown.onRelease(name, known);
    }
    return released;
  }

  /** Begins no job any more that waits for a handler. */
  stop(): void {
    const reason = new WorkerClosingError(this.queue);
    this.#caps.forEach((cap) => cap.handBackWaiting(reason));
  }

  #capped(handle: JobHandler, concurrency: number | undefined): JobHandler {
    if (concurrency === undefined) {
      return handle;
    }
    const cap = new HandlerCap(handle, concurrency);
    this.#caps.push(cap);
    return (run) => cap.run(run);
  }
}

/** Its data is brought into the form of its definition first. */
function prepared(handle: JobHandler, defined: DefinedRuns | undefined): JobHandler {
  return defined === undefined ? handle : (run) => after(defined.prepare(run.job), () => handle(run));
}

/** Its time begins when it does, not while it waits its turn. */
function timed(handle: JobHandler, timeout: number | undefined): JobHandler {
  return (run) => {
    run.begin(timeout);
    return handle(run);
  };
}
