import type { AddResult, NewJob } from '../contract/job-intake';
import type { Outcome } from '../contract/job-handover';
import { decodeEvent, parseOrText } from '../engine/events/queue-event-codec';
import type { QueueEvent } from '../model/queue-event';
import { readJobOptions, withLimits } from '../model/stored-job-options';
import type { Store } from '../backends/embedded/store';
import { DEFAULT_CONNECTION } from '../nest/lane.tokens';
import { keyOf, type RecordedJob, type RecordedOutcome } from './recording';

/**
 * An event of a queue, with which queue it was.
 *
 * @public
 */
export type RecordedEvent = QueueEvent & { readonly queue: string; readonly connection?: string };

const PAGE = 1_000;

/**
 * Keeps what happens, in order.
 *
 * @internal
 */
export class Journal {
  readonly added: RecordedJob[] = [];
  readonly outcomes: RecordedOutcome[] = [];
  readonly events: RecordedEvent[] = [];
  readonly #names = new Map<string, string>();
  readonly #read = new Map<string, string>();
  readonly #settling = new Set<string>();

  addedJobs(place: Place, jobs: readonly NewJob[], results: readonly AddResult[]): void {
    jobs.forEach((job, index) => {
      const { id, status } = results[index]!;
      if (status === 'duplicate') {
        return;
      }
      this.named(place, id, job.name);
      this.added.push({
        ...placeOf(place),
        id,
        name: job.name,
        data: JSON.parse(job.data),
        options: withLimits(readJobOptions(job.options), job.timeout, job.expiresIn),
        ...(job.headers !== undefined && { headers: JSON.parse(job.headers) as Record<string, string> }),
      });
    });
  }

  /** Notes the name of a job, which events do not tell. */
  named(place: Place, id: string, name: string): void {
    this.#names.set(this.#jobKey(place, id), name);
  }

  /** An outcome is about to be written, so that its event tells nothing new. */
  settling(place: Place, { id, kind }: Outcome): void {
    if (kind === 'failed') {
      this.#settling.add(this.#jobKey(place, id));
    }
  }

  /** @param isWritten - whether it was not refused */
  settled(place: Place, outcome: Outcome, isWritten: boolean): void {
    if (!isWritten) {
      this.#settling.delete(this.#jobKey(place, outcome.id));
      return;
    }
    this.outcomes.push({
      ...placeOf(place),
      id: outcome.id,
      name: this.#nameOf(place, outcome.id),
      kind: outcome.kind,
      ...(outcome.kind === 'completed' && { result: parseOrText(outcome.returnValue) }),
      ...((outcome.kind === 'failed' || outcome.kind === 'retry') && { reason: outcome.reason }),
      ...(outcome.kind === 'failed' && outcome.code !== null && { code: outcome.code }),
    });
  }

  /** Takes in what a queue has told since the last time. */
  readEvents(place: Place, store: Store): void {
    const key = keyOf(place.queue, place.connection);
    for (;;) {
      const [millis, number] = (this.#read.get(key) ?? '0-0').split('-');
      const page = store.eventsAfter(place.queue, Number(millis), Number(number), PAGE);
      for (const stored of page) {
        this.#read.set(key, stored.id);
        const event = decodeEvent(stored);
        this.events.push({ ...event, ...placeOf(place) });
        // One that was cancelled while it waited, or had expired, has not been in a worker's hands.
        if (event.type === 'failed' && !this.#settling.delete(this.#jobKey(place, event.jobId))) {
          const { jobId: id, failedReason: reason } = event;
          const code = store.get('jobs', place.queue, id)?.failedCode;
          const name = this.#nameOf(place, id);
          this.outcomes.push({ ...placeOf(place), id, name, kind: 'failed', reason, ...(code && { code }) });
        }
      }
      if (page.length < PAGE) {
        return;
      }
    }
  }

  #nameOf(place: Place, id: string): string {
    return this.#names.get(this.#jobKey(place, id)) ?? '';
  }

  #jobKey({ queue, connection }: Place, id: string): string {
    return JSON.stringify([connection, queue, id]);
  }
}

/** @internal */
export interface Place {
  readonly queue: string;
  readonly connection: string;
}

function placeOf({ queue, connection }: Place): { queue: string; connection?: string } {
  return connection === DEFAULT_CONNECTION ? { queue } : { queue, connection };
}
