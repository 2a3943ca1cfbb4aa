import type { Observable } from 'rxjs';

import type { Clock } from '../contract/clock';
import type { MutatingCall, Reply } from '../contract/mutating-call';
import type { QueueBackend } from '../contract/queue-backend';
import type { Refusal } from '../contract/refusal';
import { refusalError } from '../contract/refusal';
import type { JobRecord } from '../model/job-record';
import type { JobState } from '../model/job-state';
import type { EventGap, QueueEvent } from '../model/queue-event';
import { HAND_WORKER_OF_QUEUES, type HandWorker } from './by-hand/hand-worker';
import { type Command, JobFetcher } from './by-hand/job-fetcher';
import { LeasedRuns } from './by-hand/leased-runs';
import type { ReplaySource } from './events/event-replay';
import { EventStream } from './events/event-stream';
import { JobWatch, type JobWatcher } from './events/job-watch';
import type { Job } from './job';
import type { JobChange, JobOwner } from './job-owner';
import { CallBatcher } from './runtime/call-batcher';
import type { CallTerms } from './runtime/call-channel';
import { asError } from './runtime/safe-emitter';
import { endsWithin } from './runtime/wait';
import type { ConnectionOptions, OpenConnection, QueueConnection } from './runtime/queue-connection';

/**
 * Milliseconds after which a call that nobody repeats is given up.
 *
 * @internal
 */
export const CALL_DEADLINE = 5_000;

/**
 * Terms of a call that is given up after five seconds.
 *
 * @internal
 */
export function termsOf(name: string): CallTerms {
  return { name, validFor: CALL_DEADLINE, reissue: 'once' };
}

/**
 * Makes a changing call on the channel that is for everything but adding and running.
 *
 * @param name - the method that users call, for errors
 *
 * @internal
 */
export function command<R extends Reply>(
  { control, backend }: OpenConnection,
  name: string,
  send: (backend: QueueBackend, call: MutatingCall) => Promise<R>,
): Promise<R> {
  return control.call(termsOf(name), (call) => send(backend, call));
}

/** What became of one change. */
interface Changed<Result> {
  readonly refusal: Refusal | null;
  readonly result: Result | undefined;
}

/**
 * The owner of the jobs of one queue or worker object: reads them, changes them, listens to their events.
 *
 * @internal
 */
export class JobGateway implements JobOwner {
  readonly #stream: EventStream;
  readonly #watch: JobWatch;
  readonly #changes = new Map<unknown, Pick<CallBatcher<unknown, unknown>, 'settled'>>();

  readonly fetcher: JobFetcher;
  readonly runs: LeasedRuns;

  /** @param worker - on what terms jobs are fetched and ended by hand */
  constructor(
    private readonly connection: QueueConnection,
    options: ConnectionOptions,
    private readonly listener: {
      onProgress(job: Job, progress: unknown): void;
      onRemoved?(id: string): void;
      onError(error: Error): void;
    },
    worker: HandWorker = HAND_WORKER_OF_QUEUES,
  ) {
    this.#stream = new EventStream(connection.queueName, options, (error) => listener.onError(error));
    const byHand: Command = (name, send) => this.command(name, send);
    this.fetcher = new JobFetcher(this, byHand, worker, (error) => listener.onError(asError(error)));
    this.runs = new LeasedRuns(
      byHand,
      this.fetcher,
      worker,
      () => connection.opened!.time,
      () => connection.clock.now(),
    );
    this.#watch = new JobWatch({
      clock: connection.clock,
      events$: this.#stream.events$,
      fetchRecords: (ids) => this.fetchRecords(ids),
      caughtUp: () => this.eventsTold(),
    });
  }

  get queueName(): string {
    return this.connection.queueName;
  }

  get qualifiedName(): string {
    return this.connection.opened?.backend.outside?.qualifiedName ?? this.queueName;
  }

  /** Where `queue.events(from)` reads. */
  get replaySource(): ReplaySource {
    return {
      queueName: this.queueName,
      clock: this.clock,
      events$: this.events$,
      positioned: async () => {
        // A look before that may miss what nobody tells of.
        await this.use('events', Infinity);
      },
      read: async (after, limit) => {
        const { backend } = this.connection.opened ?? (await this.connection.use('events'));
        return backend.readEvents({ after, limit, block: 0 });
      },
      onError: (error) => this.listener.onError(error),
    };
  }

  get clock(): Clock {
    return this.connection.clock;
  }

  get description(): string {
    return this.connection.description;
  }

  watch(id: string, watcher: JobWatcher): () => void {
    return this.#watch.watch(id, watcher);
  }

  /** Listens for a job that is about to be added, see `JobWatch`. */
  expect(): () => void {
    return this.#watch.expect();
  }

  get events$(): Observable<QueueEvent | EventGap> {
    return this.#stream.events$;
  }

  /** Resolves once every subscriber of `events$` was told what had been written when it was called. */
  eventsTold(): Promise<void> {
    return this.#stream.caughtUp();
  }

  /**
   * The open handle, once every stream that was subscribed before sees what the call will do.
   *
   * @param patience - milliseconds for which a stream whose store does not answer may hold the call up
   */
  async use(call: string, patience = CALL_DEADLINE): Promise<OpenConnection> {
    const open = this.connection.opened ?? (await this.connection.use(call));
    this.connection.refuseWhenClosed(call);
    const positioned = this.#stream.positioned();
    if (positioned !== undefined) {
      await endsWithin(this.connection.clock, positioned, patience);
    }
    return open;
  }

  async change<Item extends { readonly id: string }, Result = void>(
    kind: JobChange<Item, Result>,
    item: Item,
  ): Promise<Result> {
    const { refusal, result } = await this.#batcherOf(kind).submit(item);
    if (refusal !== null) {
      throw refusalError(refusal, item.id, this.queueName, kind.rule?.(item));
    }
    return result as Result;
  }

  async command<R extends Reply>(
    name: string,
    send: (backend: QueueBackend, call: MutatingCall) => Promise<R>,
  ): Promise<R> {
    return command(await this.use(name), name, send);
  }

  onProgress(job: Job, progress: unknown): void {
    this.listener.onProgress(job, progress);
  }

  onRemoved(id: string): void {
    this.listener.onRemoved?.(id);
  }

  async fetchState(id: string): Promise<JobState | null> {
    const { backend } = await this.use('getState');
    const [state] = await backend.getStates([id]);
    return state ?? null;
  }

  async fetchRecord(id: string): Promise<JobRecord | null> {
    const [record] = await this.fetchRecords([id]);
    return record ?? null;
  }

  async fetchRecords(ids: readonly string[]): Promise<(JobRecord | null)[]> {
    const { backend } = await this.use('getJob');
    return backend.getJobs(ids);
  }

  /**
   * Waits for changes that are on their way, then completes the streams.
   *
   * @param patience - milliseconds that they may take
   */
  async close(patience = Infinity): Promise<void> {
    const changes = Promise.all([...this.#changes.values()].map((batcher) => batcher.settled()));
    await endsWithin(this.connection.clock, changes, patience);
    await this.#stream.close();
  }

  #batcherOf<Item extends { readonly id: string }, Result>(
    kind: JobChange<Item, Result>,
  ): CallBatcher<Item, Changed<Result>> {
    let batcher = this.#changes.get(kind) as CallBatcher<Item, Changed<Result>> | undefined;
    if (batcher === undefined) {
      batcher = new CallBatcher<Item, Changed<Result>>(
        async (items) => {
          const { refusals, results } = await this.command(kind.name, (backend, call) =>
            kind.send(backend, items, call),
          );
          return refusals.map((refusal, index) => ({ refusal, result: results?.[index] }));
        },
        (item) => kind.sizeOf(item),
        () => this.connection.isServer,
      );
      this.#changes.set(kind, batcher);
    }
    return batcher;
  }
}
