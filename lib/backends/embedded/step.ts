import type { CancelNotice } from '../../contract/job-cancelling';
import type { EventFields, QueueRow, Store } from './store';

/**
 * One atomic step on one queue, while it runs: the time it happens at, the queue's own row, and what has to be
 * told to those who wait once it is stored.
 *
 * @internal
 */
export class Step {
  /** Working copy of the queue's row, stored by `save`. */
  readonly queue: QueueRow;
  /** Whether events were written. */
  hasEvents = false;
  /** Whether a limit that claims wait for may have ended before its time. */
  hasLifted = false;
  /** What holders of jobs have to be told. */
  readonly notices: { readonly holder: string; readonly notice: CancelNotice }[] = [];

  /**
   * @param now - store time in whole milliseconds
   */
  constructor(
    readonly store: Store,
    readonly queueName: string,
    readonly now: number,
  ) {
    this.queue = store.get('queues', queueName) ?? emptyQueue(queueName);
  }

  /** A sequence below all that the queue has counted. */
  nextFront(): number {
    return (this.queue.front -= 1);
  }

  /** A sequence above all that the queue has counted. */
  nextBack(): number {
    return (this.queue.back += 1);
  }

  /** Writes an event. Ids grow even while the clock stands still or goes back. */
  emit(fields: EventFields): void {
    const { queue } = this;
    if (this.now > queue.eventMillis) {
      queue.eventMillis = this.now;
      queue.eventNumber = 0;
    } else {
      queue.eventNumber += 1;
    }
    this.store.append(this.queueName, queue.eventMillis, queue.eventNumber, fields);
    this.hasEvents = true;
  }

  /** Makes the queue one that nothing was written to. Its sequences go on: reply slots have places by them. */
  forget(): void {
    const { front, back } = this.queue;
    Object.assign(this.queue, emptyQueue(this.queueName), { front, back });
  }

  save(): void {
    this.store.put('queues', this.queue);
  }
}

/** The row of a queue that nothing was written to. */
function emptyQueue(queueName: string): QueueRow {
  return {
    queue: queueName,
    paused: 0,
    ceiling: null,
    max: null,
    duration: null,
    windowUsed: 0,
    windowEnd: 0,
    lastId: 0,
    front: 0,
    back: 0,
    sweptAt: null,
    sweptFor: 0,
    sweptBack: 0,
    lastFinish: 0,
    eventMillis: 0,
    eventNumber: 0,
  };
}
