/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { Observable } from 'rxjs';

import type { NewJob } from '../contract/job-intake';
import { MAX_ADDED } from '../contract/mutating-call';
import { durationToMillis, type Duration } from '../model/duration';
import { mergeHeaders, NO_HEADERS, parseHeaders, writeHeaders, type JobHeaders } from '../model/job-headers';
import { InvalidJobNameError } from '../model/errors/invalid-job-name.error';
import { JobsNotAddedError, type BulkResult } from '../model/errors/jobs-not-added.error';
import { PayloadTooLargeError } from '../model/errors/payload-too-large.error';
import type { DefaultJobOptions, JobOptions } from '../model/job-options';
import { parseDefaultJobOptions, parseJobOptions } from '../model/job-options';
import {
  readJobOptions,
  withLimits,
  writeJobOptions,
  type StoredJobOptions,
} from '../model/stored-job-options';
import { newJobRecord, type JobRecord } from '../model/job-record';
import { TooManyJobsError } from '../model/errors/too-many-jobs.error';
import { QueueClosedError } from '../model/errors/queue-closed.error';
import { refuseUnknownOptions } from '../model/option-names';
import { toJson } from '../model/payload';
import type { EventGap, QueueEvent } from '../model/queue-event';
import { checkAddTimeout, checkQueueName } from '../model/queue-options';
import { Job } from './job';
import { CountsStream, type JobCounts } from './events/counts-stream';
import { EventReplay, replayEvents } from './events/event-replay';
import { replayTerms } from './events/replay-terms';
import { CALL_DEADLINE, JobGateway, termsOf } from './job-gateway';
import type { JobOwner } from './job-owner';
import { checkAddBulkOptions, prepareAll, type AddBulkOptions } from './queue-arguments';
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

interface StoredResult {
  readonly id: string;
  readonly now: number;
  readonly isDuplicate: boolean;
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
export class Queue<Data = any, Result = any, Name extends string = string> extends QueueOutside<
  Data,
  Result,
  Name
> {
  readonly #connection: QueueConnection;
  readonly #jobs: JobGateway;
  readonly #adds: CallBatcher<NewJob, StoredResult>;
  readonly #defaults: StoredJobOptions;
  readonly #defaultsJson: string;
  readonly #addTimeout: number;
  readonly #counts = new Map<number, CountsStream>();
  #surroundingHeaders: (() => JobHeaders) | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param name - any text without a colon
   * @throws InvalidQueueNameError, InvalidOptionsError, UnknownOptionError, InvalidBackendError, InvalidDurationError,
   * or the error of a bad default job option
   */
  constructor(
    readonly name: string,
    readonly opts: QueueOptions,
  ) {
    super(`Queue "${checkQueueName(name)}"`);
    refuseUnknownOptions('Queue', opts, OPTION_NAMES);
    this.#defaults = parseDefaultJobOptions(opts.defaultJobOptions ?? {}, 'defaultJobOptions');
    this.#defaultsJson = writeJobOptions(this.#defaults);
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
    const { timeout, expiresIn } = this.#defaults;
    return withLimits(readJobOptions(this.#defaultsJson), timeout, expiresIn);
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
   * @throws QueueClosedError after `close()`
   * @throws ConnectionLostError when the store could not be reached within `addTimeout`, another StoreError when it
   * did not carry out the call, CallExpiredError when the job came to it too late; it is not stored then
   * @throws OutcomeUnknownError when no reply came within `addTimeout`, so that the job may be stored or not
   */
  async add(name: Name, data: Data, opts?: JobOptions): Promise<Job<Data, Result, Name>> {
    this.#refuseWhenClosed('add');
    const job = this.#prepare(name, data, opts, 'add', this.#headersAround());
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
    jobs: readonly BulkJob<Data, Name>[],
    options: AddBulkOptions = {},
  ): Promise<Job<Data, Result, Name>[]> {
    this.#refuseWhenClosed('addBulk');
    const { atomic } = checkAddBulkOptions(options);
    const around = this.#headersAround();
    const prepared = prepareAll(jobs, (job) =>
      this.#prepare(job.name, job.data, job.opts, 'addBulk', around),
    );
    if (!atomic) {
      return this.#jobsOf(prepared, await Promise.allSettled(prepared.map((job) => this.#adds.submit(job))));
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
   * Has every job that is added from now on take headers from where it is added; those that it is given win.
   *
   * @param headers - called by each `add` and `addBulk`, which reject with what it throws
   *
   * @internal
   */
  surroundWith(headers: () => JobHeaders): void {
    this.#surroundingHeaders = headers;
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

  /** Waits for adds that are on their way, completes the streams and frees the connections. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#adds.settled();
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

  #prepare(
    name: Name,
    data: Data,
    opts: JobOptions | undefined,
    where: string,
    headersAround: JobHeaders,
  ): NewJob {
    if (typeof name !== 'string' || name === '') {
      throw new InvalidJobNameError(name);
    }
    const json = toJson(data, '{}', 'data', name);
    const given = opts === undefined ? undefined : parseJobOptions(opts, where);
    const options = given === undefined ? this.#defaults : { ...this.#defaults, ...given };
    if (options.sizeLimit !== undefined) {
      checkSize(name, json, options.sizeLimit);
    }
    return {
      id: options.jobId ?? null,
      name,
      data: json,
      options: given === undefined ? this.#defaultsJson : writeJobOptions(options),
      timestamp: options.timestamp,
      priority: options.priority ?? 0,
      delay: options.delay ?? 0,
      lifo: options.lifo ?? false,
      timeout: options.timeout,
      expiresIn: options.expiresIn,
      headers: writeHeaders(
        opts?.headers === undefined ? headersAround : mergeHeaders(headersAround, parseHeaders(opts.headers)),
      ),
    };
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

  /** @throws JobsNotAddedError unless there is a result for every job */
  async #jobsOf(
    prepared: readonly NewJob[],
    results: readonly PromiseSettledResult<StoredResult>[],
  ): Promise<Job<Data, Result, Name>[]> {
    const added = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
    const find = await this.#findDuplicates(added);
    const bulk = results.map((result, index): BulkResult<Job<Data, Result, Name>> => {
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

  #announce(record: JobRecord, result: StoredResult): Job<Data, Result, Name> {
    const job = this.toJob(record);
    if (!result.isDuplicate && record.state === 'waiting') {
      this.emit('waiting', job);
    }
    return job;
  }

  protected toJob(record: JobRecord): Job<Data, Result, Name> {
    return new Job(this.#jobs, record);
  }
}

function checkSize(name: string, json: string, sizeLimit: number): void {
  const size = Buffer.byteLength(json);
  if (size > sizeLimit) {
    throw new PayloadTooLargeError(name, size, sizeLimit);
  }
}

function recordOf(job: NewJob, result: StoredResult): JobRecord {
  const { name, data, options, delay, priority, timestamp = result.now } = job;
  const state = delay > 0 ? 'delayed' : priority > 0 ? 'prioritized' : 'waiting';
  return newJobRecord({ id: result.id, name, state, data, options, timestamp, delay, priority }, job);
}
