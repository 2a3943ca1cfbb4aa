import { Subscription } from 'rxjs';

import { QueueClosedError } from '../../model/errors/queue-closed.error';
import type { Queue } from '../queue';
import type { EventReaderTarget } from './event-reader';
import type { JobWatcher } from './job-watch';
import { QueueEvents } from './queue-events';
import type { QueueEventsSource } from './queue-events-source';

/**
 * The events of a queue by the reader that its streams share; it opens nothing of its own.
 */
class SharedEvents implements QueueEventsSource {
  readonly #listening = new Subscription();
  #isStarted = false;
  #isClosed = false;
  #end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve));

  constructor(
    private readonly queue: Queue,
    private readonly target: EventReaderTarget,
  ) {}

  get isStarted(): boolean {
    return this.#isStarted;
  }

  start(): void {
    this.#isStarted = true;
    this.#listening.add(
      this.queue.events$.subscribe({
        next: (event) => this.target.onEvent(event),
        complete: () => this.#end(),
      }),
    );
  }

  ready(): Promise<void> {
    return this.queue.waitUntilReady();
  }

  watch(id: string, watcher: JobWatcher): () => void {
    return this.queue.watch(id, watcher);
  }

  refuseWhenClosed(call: string): void {
    if (this.#isClosed) {
      throw new QueueClosedError(`QueueEvents "${this.queue.name}"`, call);
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#listening.unsubscribe();
    this.#end();
    return Promise.resolve();
  }
}

/**
 * The events of a queue in the form of `QueueEvents`, by the reader that the streams of the queue share; `run()` begins.
 *
 * @internal
 */
export function queueEventsOf(queue: Queue): QueueEvents {
  const { backend } = queue.opts;
  return new QueueEvents(
    queue.name,
    { backend, autorun: false },
    (target) => new SharedEvents(queue, target),
  );
}
