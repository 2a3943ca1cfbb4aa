import type { JobRun } from '../../engine/worker/job-executor';
import { NoHandlerError } from '../../model/errors/no-handler.error';
import { WorkerClosingError } from '../../model/errors/worker-closing.error';
import type { PlannedHandler } from '../planning/processor-check';
import { HandlerCap } from './handler-cap';
import type { JobHandler } from '../pipeline/handler-factory';

/**
 * Hands the jobs of a queue to the handlers of their names.
 *
 * @internal
 */
export class JobDispatcher {
  readonly #handlers = new Map<string, JobHandler>();
  readonly #caps: HandlerCap[] = [];
  #ofOtherNames: JobHandler | undefined;

  constructor(
    private readonly queue: string,
    handlers: readonly PlannedHandler[],
    create: (handler: PlannedHandler) => JobHandler,
  ) {
    for (const handler of handlers) {
      const handle = this.#capped(timed(create(handler), handler.timeout), handler.concurrency);
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
   * @throws NoHandlerError when no handler takes its name
   */
  dispatch(run: JobRun): unknown {
    const handle = this.#handlers.get(run.job.name) ?? this.#ofOtherNames;
    if (handle === undefined) {
      throw new NoHandlerError(run.job.name, this.queue, [...this.#handlers.keys()]);
    }
    return handle(run);
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

/** Its time begins when it does, not while it waits its turn. */
function timed(handle: JobHandler, timeout: number | undefined): JobHandler {
  return (run) => {
    run.begin(timeout);
    return handle(run);
  };
}
