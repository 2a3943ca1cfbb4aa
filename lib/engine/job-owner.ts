import type { Clock } from '../contract/clock';
import type { MutatingCall, Reply } from '../contract/mutating-call';
import type { QueueBackend } from '../contract/queue-backend';
import type { Refusal } from '../contract/refusal';
import type { Duration } from '../model/duration';
import type { JobRecord } from '../model/job-record';
import type { JobState } from '../model/job-state';
import type { JobWatcher } from './events/job-watch';
import type { Job } from './job';

/**
 * A kind of call that changes many jobs at once. There is one constant for each, by which changes find together.
 *
 * @internal
 */
export interface JobChange<Item extends { readonly id: string }, Result = void> {
  /** The method that users call, for errors. */
  readonly name: string;
  /** Which states it takes, for errors; left out where it takes all. */
  rule?(item: Item): string;
  /** Characters that an item takes up in a call. */
  sizeOf(item: Item): number;
  send(
    backend: QueueBackend,
    items: readonly Item[],
    call: MutatingCall,
  ): Promise<
    Reply & {
      /** One per item, in order. */
      readonly refusals: readonly (Refusal | null)[];
      /** What the change brought for each item, in order, where it brings something. */
      readonly results?: readonly Result[];
    }
  >;
}

/**
 * What ends the run of a job for whoever holds its token.
 *
 * @internal
 */
export interface RunControl {
  delay(job: Job, timestamp: number, token: string | undefined): Promise<void>;
  handBack(job: Job, token: string | undefined): Promise<void>;
  complete(job: Job, value: unknown, token: string | undefined, fetchNext: boolean): Promise<Job | undefined>;
  fail(job: Job, thrown: unknown, token: string | undefined, fetchNext: boolean): Promise<Job | undefined>;
  extend(job: Job, token: string | undefined, duration: Duration): Promise<boolean>;
}

/**
 * What a job needs of the queue or worker it came from.
 *
 * @internal
 */
export interface JobOwner {
  readonly queueName: string;
  /** What the names of the queue's keys begin with, or its name where it has none. */
  readonly qualifiedName: string;
  readonly clock: Clock;
  /** What the jobs are from, such as `Queue "email"`, for errors. */
  readonly description: string;
  /**
   * Follows a job to its end.
   *
   * @returns ends the watch
   */
  watch(id: string, watcher: JobWatcher): () => void;
  /**
   * Changes a job. What is asked for in one turn of the event loop by the same kind of call travels together.
   *
   * @returns what the change brought
   * @throws the error of the refusal, if the change is refused
   */
  change<Item extends { readonly id: string }, Result = void>(
    kind: JobChange<Item, Result>,
    item: Item,
  ): Promise<Result>;
  /**
   * Makes a changing call of any other kind, on the channel that is for everything but adding and running.
   *
   * @param name - the method that users call, for errors
   */
  command<R extends Reply>(
    name: string,
    send: (backend: QueueBackend, call: MutatingCall) => Promise<R>,
  ): Promise<R>;
  fetchState(id: string): Promise<JobState | null>;
  fetchRecord(id: string): Promise<JobRecord | null>;
  /** Ends runs by hand. */
  readonly runs: RunControl;
  /** Told after progress was stored. */
  onProgress(job: Job, progress: unknown): void;
  /** Told after a job was removed. */
  onRemoved(id: string): void;
}
