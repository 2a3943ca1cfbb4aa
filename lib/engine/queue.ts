/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { Observable } from 'rxjs';

import type { NewJob } from '../contract/job-intake';
import { MAX_ADDED } from '../contract/mutating-call';
import { durationToMillis, type Duration } from '../model/duration';
import { mergeHeaders, NO_HEADERS, parseHeaders, writeHeaders, type JobHeaders } from '../model/job-headers';
import { InvalidJobNameError } from '../model/errors/invalid-job-name.error';
import { JobsNotAddedError, type BulkResult } from '../model/errors/jobs-not-added.error';
import type { DefaultJobOptions, JobOptions } from '../model/job-options';
import { parseDefaultJobOptions, parseJobOptions } from '../model/job-options';
import {
  readJobOptions,
  withLimits,
  writeJobOptions,
  type StoredJobOptions,
} from '../model/stored-job-options';
import type { JobRecord } from '../model/job-record';
import { TooManyJobsError } from '../model/errors/too-many-jobs.error';
import { QueueClosedError } from '../model/errors/queue-closed.error';
import { refuseUnknownOptions } from '../model/option-names';
import { isThenable } from '../model/thenable';
import { toJson } from '../model/payload';
import type { EventGap, QueueEvent } from '../model/queue-event';
import { checkAddTimeout, checkQueueName } from '../model/queue-options';
import { Job } from './job';
import { type AddTerms, DefinedAdds } from './definition/defined-adds';
import type { DefinedQueue, JobShapes, UniformShapes } from './definition/job-shapes';
import { isQueueDefinition, queueNameOf } from './definition/queue-definition';
import { CountsStream, type JobCounts } from './events/counts-stream';
import { EventReplay, replayEvents } from './events/event-replay';
import type { JobWatcher } from './events/job-watch';
import { replayTerms } from './events/replay-terms';
import {
  checkIngest,
  ingest,
  type Ingest,
  type IngestOptions,
  type IngestProgress,
  type IngestSource,
} from './ingest';
import { CALL_DEADLINE, JobGateway, termsOf } from './job-gateway';
import type { JobOwner } from './job-owner';
import { newJob, recordOf, type StoredResult } from './new-job';
import {
  checkAddBulkOptions,
  checkRunOptions,
  prepareAll,
  type AddBulkOptions,
  type RunOptions,
} from './queue-arguments';
import { QueueOutside } from './queue-outside';
import { CallBatcher } from './runtime/call-batcher';
import type { ConnectionOptions, OpenConnection } from './runtime/queue-connection';
import { CONNECTION_OPTION_NAMES, QueueConnection } from './runtime/queue-connection';
import { asError } from './runtime/safe-emitter';

/**
 * Options of a `Queue`.
 *
 * @public
 */
export interface QueueOptions extends ConnectionOptions {
  /** Options for every job that does not say otherwise. Default none. */
  defaultJobOptions?: DefaultJobOptions;
  /**
   * How long an add may take when the store is slow or away; then it rejects, and what is still on its way takes no
   * effect. A bare number is milliseconds. Default 5 s.
   */
  addTimeout?: Duration;
}

/**
 * One job of `addBulk`.
 *
 * @public
 */
export interface BulkJob<Data, Name extends string> {
  name: Name;
  data: Data;
  opts?: JobOptions;
}

const OPTION_NAMES: readonly (keyof QueueOptions)[] = [
  ...CONNECTION_OPTION_NAMES,
  'defaultJobOptions',
  'addTimeout',
];

/**
 * Adds jobs to a queue and looks after it.
 *
 * Adds that are made in one tick travel together; each still has its own result.
 *
 * @typeParam Data - payload of the jobs
 * @typeParam Result - what their handlers return
 * @typeParam Name - names of the jobs
 *
 * @example
 * ```ts
 * const queue = new Queue('email', { backend: memory() });
 * await queue.add('send', { to: 'a@example.com' }, { attempts: 3, backoff: '5s' });
 * ```
 *
 * @public
 */
export class Queue<
  Data = any,
  Result = any,
  Name extends string = string,
  Shapes extends JobShapes<Name> = UniformShapes<Data, Result, Name>,
> extends QueueOutside<Shapes[Name]['job'], Shapes[Name]['result']> {
  /** Name of the queue. */
  readonly name: string;
  readonly #connection: QueueConnection;
  readonly #jobs: JobGateway;
  readonly #adds: CallBatcher<NewJob, StoredResult>;
  readonly #terms: AddTerms;
  readonly #defined: DefinedAdds | undefined;
  readonly #addTimeout: number;
  readonly #counts = new Map<number, CountsStream>();
  readonly #ingests = new Set<Ingest>();
  #surroundingHeaders: (() => JobHeaders) | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param queue - its name, any text without a colon, or its definition, which types and checks what is added
   * @throws InvalidQueueNameError, InvalidOptionsError, UnknownOptionError, InvalidBackendError, InvalidDurationError,
   * or the error of a bad default job option
   */
  constructor(
    queue: string | DefinedQueue<Data, Result, Name, Shapes>,
    readonly opts: QueueOptions,
  ) {
    const name = checkQueueName(queueNameOf(queue));
    super(`Queue "${name}"`);
    this.name = name;
    refuseUnknownOptions('Queue', opts, OPTION_NAMES);
    const defaults = parseDefaultJobOptions(opts.defaultJobOptions ?? {}, 'defaultJobOptions');
    this.#terms = { defaults, defaultsJson: writeJobOptions(defaults), version: undefined };
    this.#defined = isQueueDefinition(queue) ? new DefinedAdds(queue, defaults) : undefined;
    this.#addTimeout = checkAddTimeout(opts.addTimeout ?? CALL_DEADLINE);
    this.#connection = new QueueConnection(name, `Queue "${name}"`, 'producer', opts);
    this.#jobs = new JobGateway(this.#connection, opts, {
      onProgress: (job, progress) => this.emit('progress', job, progress),
      onRemoved: (id) => this.emit('removed', id),
      onError: (error) => this.emit('error', error),
    });
    this.#adds = new CallBatcher(
      (jobs) => this.#send(jobs),
      (job) => job.data.length + job.options.length + (job.headers?.length ?? 0),
      () => this.#connection.isServer,
    );
  }

  /** The options for every job that does not say otherwise, durations resolved; a copy. */
  get defaultJobOptions(): StoredJobOptions {
    const { defaults, defaultsJson } = this.#terms;
    return withLimits(readJobOptions(defaultsJson), defaults.timeout, defaults.expiresIn);
  }

  /**
   * Everything that happens in the queue from the moment of subscription on, in whatever process. Hot and shared;
   * completes on `close()`, never errors. Where events may be missing, because the log did not keep them until they were
   * read, stands an `EventGap`. Subscribers are called one after the other and have no buffer of their own; whoever is
   * slow takes the events with `boundedConcatMap`.
   */
  get events$(): Observable<QueueEvent | EventGap> {
    return this.#jobs.events$;
  }

  /**
   * The events of the queue from some place of its log on, and then what comes. Cold: every subscriber reads for itself,
   * page by page, and with `boundedConcatMap` or `for await` no faster than the events are taken. Completes on `close()`.
   *
   * @param from - the id of an event, after which to begin; a time, as a `Date` or in milliseconds since 1970; or `start`
   * for all events that are kept
   * @param options - `strict`: errors with EventsLostError where events are missing, in place of an `EventGap`
   * @throws InvalidEventIdError, UnknownOptionError, InvalidOptionsError, InvalidFlagError
   * @throws QueueClosedError after `close()`
   */
  events(from: string | number | Date, options: { strict?: boolean } = {}): EventReplay {
    this.#refuseWhenClosed('events');
    const terms = replayTerms(from, options);
    return new EventReplay((signal) => replayEvents(this.#jobs.replaySource, terms, signal));
  }

  /**
   * How many jobs are in each state: now, and whenever it changes. The looks are shared by all subscribers with the same
   * `every`. Completes on `close()`, never errors; a look that fails is told by the event `error`.
   *
   * @param options - `every`: longest time between two looks, for changes that no event tells of; after an event the next
   * one comes within a quarter of a second. A bare number is milliseconds; default 5 s.
   * @throws UnknownOptionError, InvalidOptionsError or InvalidDurationError
   */
  counts$(options: { every?: Duration } = {}): Observable<JobCounts> {
    refuseUnknownOptions('counts$', options, ['every']);
    const every = Math.max(1, durationToMillis('every', options.every ?? 5_000));
    let stream = this.#counts.get(every);
    if (stream === undefined) {
      stream = new CountsStream(
        {
          clock: this.#connection.clock,
          events$: this.events$,
          fetchCounts: async () => (await this.#jobs.use('counts$')).backend.getCounts(),
          onError: (error) => this.emit('error', error),
        },
        every,
      );
      this.#counts.set(every, stream);
    }
    return stream.counts$;
  }

  /**
   * Adds a job. With a `jobId` that is stored already nothing changes, and the stored job is returned.
   *
   * @param name - decides which handler takes the job
   * @param data - any JSON value; `undefined` becomes `{}`
   * @throws InvalidJobNameError, UnserializableDataError, UnknownOptionError, or the error of a bad option; nothing
   * is stored then
   * @throws UnknownJobNameError or InvalidDataError when the queue has a definition that does not know the name, or a
   * schema that does not take the data; nothing is stored then
   * @throws QueueClosedError after `close()`
   * @throws ConnectionLostError when the store could not be reached within `addTimeout`, another StoreError when it
   * did not carry out the call, CallExpiredError when the job came to it too late; it is not stored then
   * @throws OutcomeUnknownError when no reply came within `addTimeout`, so that the job may be stored or not
   */
  async add<Each extends keyof Shapes & Name>(
    name: Each,
    data: Shapes[Each]['input'],
    opts?: JobOptions,
  ): Promise<Shapes[Each]['job']> {
    this.#refuseWhenClosed('add');
    const prepared = this.#prepare(name, data, opts, 'add', this.#headersAround());
    const job = isThenable(prepared) ? await this.#unlessClosed(prepared, 'add') : prepared;
    const result = await this.#adds.submit(job);
    const record = result.isDuplicate
      ? ((await this.#jobs.fetchRecord(result.id)) ?? recordOf(job, result))
      : recordOf(job, result);
    return this.#announce(record, result);
  }

  /**
   * Adds many jobs, in order. All are checked before the first is stored.
   *
   * They travel in calls of 200 jobs or 1 MiB, each of which is carried out as a whole or not at all; with `atomic` they
   * are one call.
   *
   * @returns a job per entry, as `add` would return it
   * @throws InvalidJobsError with every entry that cannot be added, or when there is no array of them; TooManyJobsError
   * for more than 1,000 jobs with `atomic`; nothing is stored then
   * @throws JobsNotAddedError when the store took some or none of them, with what became of each; with `atomic`, what
   * `add` throws
   */
  async addBulk(
    jobs: readonly Shapes[Name]['bulk'][],
    options: AddBulkOptions = {},
  ): Promise<Shapes[Name]['job'][]> {
    this.#refuseWhenClosed('addBulk');
    const { atomic } = checkAddBulkOptions(options);
    const around = this.#headersAround();
    const all = prepareAll(jobs as readonly BulkJob<unknown, string>[], (job) =>
      this.#prepare(job.name, job.data, job.opts, 'addBulk', around),
    );
    const prepared = isThenable(all) ? await this.#unlessClosed(all, 'addBulk') : all;
    if (!atomic) {
      return this.#addAll(prepared);
    }
    if (prepared.length > MAX_ADDED) {
      throw new TooManyJobsError(prepared.length, MAX_ADDED);
    }
    const results = await this.#adds.submitTogether(prepared);
    return this.#jobsOf(
      prepared,
      results.map((value) => ({ status: 'fulfilled', value })),
    );
  }

  /**
   * Adds what a source brings: an Observable, an array, or anything else that can be iterated, at once or step by step
   * (`AsyncIterable`). Begins when it is subscribed to, and tells how far it has come after each bulk add, in the order of
   * the source; `lastValueFrom` gives the sum.
   *
   * The entries that have come go to the store as one bulk add, 200 at most, and `concurrency` of them are under way at
   * once. While they are, an iterable is not read on. An Observable cannot be told to wait: what it brings meanwhile waits
   * in a `buffer`, and more than that ends the stream with IngestOverflowError.
   *
   * An entry that cannot be added is told among `refusals` and left out; with `strict` it ends the stream with the error
   * that `add` would have thrown. So does a bulk add that the store did not carry out (JobsNotAddedError), in any case, since
   * all that comes after it would get lost too. With an error of the source or of an entry, and IngestOverflowError, all that
   * came before it has been stored. Jobs with ids of their own can be ingested again.
   *
   * To unsubscribe ends the reading; adds that are under way are still carried out. `close()` of the queue does so too,
   * and then completes the stream without a value that `isDone`.
   *
   * @param source - jobs, as `addBulk` takes them
   * @throws InvalidSourceError, UnknownOptionError, InvalidOptionsError, InvalidFlagError or InvalidStreamOptionError
   * @throws QueueClosedError after `close()`
   *
   * @example
   * ```ts
   * const { added, refused } = await lastValueFrom(email.ingest(letters(file), { signal }));
   * ```
   */
  ingest(
    source: IngestSource<Shapes[Name]['bulk']>,
    options: IngestOptions = {},
  ): Observable<IngestProgress<Shapes[Name]['job'], Shapes[Name]['bulk']>> {
    this.#refuseWhenClosed('ingest');
    const terms = checkIngest(source, options);
    return new Observable((subscriber) => {
      this.#refuseWhenClosed('ingest');
      const around = this.#headersAround();
      const target = {
        prepare: ({ name, data, opts }: BulkJob<unknown, string>) =>
          this.#prepare(name, data, opts, 'ingest', around),
        addAll: (jobs: readonly NewJob[]) => this.#addAll(jobs),
      };
      return ingest(source, terms, target, subscriber, this.#ingests);
    });
  }

  /**
   * Has every job that is added from now on take headers from where it is added; those that it is given win.
   *
   * @param headers - called by each `add` and `addBulk`, which reject with what it throws
   *
   * @internal
   */
  surroundWith(headers: () => JobHeaders): void {
    this.#surroundingHeaders = headers;
  }

  /**
   * Adds a job and waits for its result, in whatever process it runs. The end of a job is not missed, however soon it
   * comes and whatever is kept of it.
   *
   * @param options - `job`: its options; `signal` ends the wait, and so does `timeout`, counted from when the job is
   * stored. The job is not touched by that: it goes on, unless `cancel` is called for it.
   * @returns what its handler returned
   * @throws what `add` throws, and what `finished` of a job throws: JobFailedError, JobCancelledError, JobRemovedError,
   * WaitTimeoutError, the reason of the signal, QueueClosedError
   * @throws UnknownOptionError, InvalidOptionsError or InvalidDurationError
   *
   * @example
   * ```ts
   * const receipt = await email.run('send', { to, template }, { timeout: '1m', job: { attempts: 2 } });
   * ```
   */
  async run<Each extends keyof Shapes & Name>(
    name: Each,
    data: Shapes[Each]['input'],
    options: RunOptions = {},
  ): Promise<Shapes[Each]['result']> {
    this.#refuseWhenClosed('run');
    const { job, ...wait } = checkRunOptions(options);
    wait.signal?.throwIfAborted();
    const noLonger = this.#jobs.expect();
    let finished: Promise<Shapes[Each]['result']>;
    try {
      finished = (await this.add(name, data, job)).finished(wait) as Promise<Shapes[Each]['result']>;
    } finally {
      noLonger();
    }
    return finished;
  }

  /** Stops handing out jobs, for all workers of the queue. Running jobs go on, adding goes on. */
  async pause(): Promise<void> {
    const { changed } = await this.command('pause', (backend, call) => backend.pause(call));
    if (changed) {
      this.emit('paused');
    }
  }

  /** Hands out jobs again. */
  async resume(): Promise<void> {
    const { changed } = await this.command('resume', (backend, call) => backend.resume(call));
    if (changed) {
      this.emit('resumed');
    }
  }

  /** Resolves once the store can be reached. */
  async waitUntilReady(): Promise<void> {
    const { backend } = await this.use('waitUntilReady');
    await backend.ready();
  }

  /**
   * Resolves once every subscriber of `events$` was told what had been written when it was called.
   *
   * @internal
   */
  eventsTold(): Promise<void> {
    return this.#jobs.eventsTold();
  }

  /**
   * Follows a job to its end.
   *
   * @returns ends the watch
   *
   * @internal
   */
  watch(id: string, watcher: JobWatcher): () => void {
    return this.#jobs.watch(id, watcher);
  }

  /** Waits for adds that are on their way, completes the streams and frees the connections. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const ingested = Promise.all([...this.#ingests].map((each) => each.end()));
    await this.#adds.settled();
    await ingested;
    await this.#jobs.close();
    try {
      await this.#connection.close();
    } catch (error) {
      this.emit('error', asError(error));
    }
  }

  #refuseWhenClosed(call: string): void {
    if (this.#closing !== undefined) {
      throw new QueueClosedError(`Queue "${this.name}"`, call);
    }
  }

  protected get owner(): JobOwner {
    return this.#jobs;
  }

  protected get opened(): OpenConnection | undefined {
    return this.#connection.opened;
  }

  protected async use(call: string): Promise<OpenConnection> {
    this.#refuseWhenClosed(call);
    await this.#adds.settled();
    return this.#jobs.use(call);
  }

  /** The job as it is stored; later only where an asynchronous schema has to say so. */
  #prepare(
    name: string,
    data: unknown,
    opts: JobOptions | undefined,
    where: string,
    headersAround: JobHeaders,
  ): NewJob | Promise<NewJob> {
    if (typeof name !== 'string' || name === '') {
      throw new InvalidJobNameError(name);
    }
    const rule = this.#defined?.of(name);
    const json = toJson(data, '{}', 'data', name);
    const given = opts === undefined ? undefined : parseJobOptions(opts, where);
    const headers = writeHeaders(
      opts?.headers === undefined ? headersAround : mergeHeaders(headersAround, parseHeaders(opts.headers)),
    );
    if (rule === undefined) {
      return newJob(name, json, this.#terms, given, headers);
    }
    const accepted = rule.accept(json);
    return isThenable(accepted)
      ? accepted.then((stored) => newJob(name, stored, rule, given, headers))
      : newJob(name, accepted, rule, given, headers);
  }

  /** Waits for the schemas of jobs that are added. */
  async #unlessClosed<T>(prepared: Promise<T>, call: string): Promise<T> {
    const result = await prepared;
    this.#refuseWhenClosed(call);
    return result;
  }

  #headersAround(): JobHeaders {
    return this.#surroundingHeaders === undefined ? NO_HEADERS : this.#surroundingHeaders();
  }

  async #send(jobs: readonly NewJob[]): Promise<StoredResult[]> {
    const askedAt = this.#connection.clock.now();
    const { add, backend } = await this.#jobs.use('add', this.#addTimeout / 2);
    const terms = { ...termsOf('add'), validFor: this.#addTimeout };
    const reply = await add.call(terms, (call) => backend.addJobs({ jobs }, call), askedAt);
    return reply.results.map(({ id, status }) => ({
      id,
      now: reply.now,
      isDuplicate: status === 'duplicate',
    }));
  }

  /** @throws JobsNotAddedError unless all of them are stored */
  async #addAll(jobs: readonly NewJob[]): Promise<Shapes[Name]['job'][]> {
    return this.#jobsOf(jobs, await Promise.allSettled(jobs.map((job) => this.#adds.submit(job))));
  }

  /** @throws JobsNotAddedError unless there is a result for every job */
  async #jobsOf(
    prepared: readonly NewJob[],
    results: readonly PromiseSettledResult<StoredResult>[],
  ): Promise<Shapes[Name]['job'][]> {
    const added = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
    const find = await this.#findDuplicates(added);
    const bulk = results.map((result, index): BulkResult<Shapes[Name]['job']> => {
      const stored = added[index];
      if (stored === undefined) {
        return { error: asError((result as PromiseRejectedResult).reason) };
      }
      const record = stored.isDuplicate ? find(stored.id) : null;
      return record instanceof Error
        ? { error: record }
        : { job: this.#announce(record ?? recordOf(prepared[index]!, stored), stored) };
    });
    if (bulk.some(({ error }) => error !== undefined)) {
      throw new JobsNotAddedError(bulk);
    }
    return bulk.map(({ job }) => job!);
  }

  /** @returns the stored job of an id, `null` where it is gone, or why it could not be read */
  async #findDuplicates(
    results: readonly (StoredResult | undefined)[],
  ): Promise<(id: string) => JobRecord | Error | null> {
    const ids = results.flatMap((result) => (result?.isDuplicate === true ? result.id : []));
    if (ids.length === 0) {
      return () => null;
    }
    try {
      const records = await this.#jobs.fetchRecords(ids);
      const byId = new Map(records.map((record, index) => [ids[index]!, record]));
      return (id) => byId.get(id) ?? null;
    } catch (error) {
      return () => asError(error);
    }
  }

  #announce(record: JobRecord, result: StoredResult): Shapes[Name]['job'] {
    const job = this.toJob(record);
    if (!result.isDuplicate && record.state === 'waiting') {
      this.emit('waiting', job);
    }
    return job;
  }

  protected toJob(record: JobRecord): Shapes[Name]['job'] {
    return new Job(this.#jobs, record) as Shapes[Name]['job'];
  }
}
