/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { inspect } from 'node:util';

import { Observable, filter } from 'rxjs';

import type { Outcome } from '../contract/job-handover';
import type { JobRecord } from '../model/job-record';
import type { JobState } from '../model/job-state';
import type { StoredJobOptions } from '../model/job-options';
import { toJson } from '../model/payload';
import type { QueueEvent } from '../model/queue-event';

/**
 * What a job needs of the queue or worker it came from.
 *
 * @internal
 */
export interface JobOwner {
  readonly queueName: string;
  /** Events of the queue from the moment of subscription on. */
  readonly events$: Observable<QueueEvent>;
  updateProgress(id: string, progress: string): Promise<void>;
  fetchState(id: string): Promise<JobState | null>;
  fetchRecord(id: string): Promise<JobRecord | null>;
  /** Told after progress was stored. */
  onProgress(job: Job, progress: unknown): void;
}

/**
 * A job as plain data, parsed.
 *
 * @public
 */
export interface JobJson {
  id: string;
  name: string;
  data: unknown;
  opts: StoredJobOptions;
  progress: unknown;
  delay: number;
  priority: number;
  timestamp: number;
  attemptsMade: number;
  attemptsStarted: number;
  stalledCounter: number;
  returnvalue: unknown;
  failedReason?: string;
  failedCode?: string;
  stacktrace: string[];
  processedOn?: number;
  finishedOn?: number;
  processedBy?: string;
}

/**
 * A handle on one job, with what was known of it when it was read.
 *
 * Jobs are made by a `Queue` and handed to handlers by a `Worker`; payload and result are parsed when first read.
 *
 * @typeParam Data - payload
 * @typeParam Result - what the handler returns
 * @typeParam Name - job names
 *
 * @public
 */
export class Job<Data = any, Result = any, Name extends string = string> {
  readonly #owner: JobOwner;
  readonly #record: JobRecord;
  #data: Data | undefined;
  #dataParsed = false;
  #opts: StoredJobOptions | undefined;

  /** Proves the worker's lease while its handler runs; `undefined` elsewhere. */
  readonly token: string | undefined;

  /** @internal */
  constructor(owner: JobOwner, record: JobRecord, token?: string) {
    this.#owner = owner;
    this.#record = record;
    this.token = token;
  }

  /** Unique in its queue. */
  get id(): string {
    return this.#record.id;
  }

  /** Decides which handler takes the job. */
  get name(): Name {
    return this.#record.name as Name;
  }

  /** Name of the queue. */
  get queueName(): string {
    return this.#owner.queueName;
  }

  /** The payload. */
  get data(): Data {
    if (!this.#dataParsed) {
      this.#data = JSON.parse(this.#record.data) as Data;
      this.#dataParsed = true;
    }
    return this.#data as Data;
  }

  /** The options as stored: durations resolved, only what was given. */
  get opts(): StoredJobOptions {
    this.#opts ??= optionsOf(this.#record.options);
    return this.#opts;
  }

  /** Last progress, 0 before the first. */
  get progress(): unknown {
    return this.#record.progress === null ? 0 : (JSON.parse(this.#record.progress) as unknown);
  }

  /** Milliseconds the job was held back; 0 once it was due. */
  get delay(): number {
    return this.#record.delay;
  }

  /** 0 to 2097151; lower runs first. */
  get priority(): number {
    return this.#record.priority;
  }

  /** Time of adding, in milliseconds since 1970. */
  get timestamp(): number {
    return this.#record.timestamp;
  }

  /** Attempts that have ended; in a handler, those before the present one. */
  get attemptsMade(): number {
    return this.#record.attemptsMade;
  }

  /** Times a worker took the job, the present one included. */
  get attemptsStarted(): number {
    return this.#record.attemptsStarted;
  }

  /** Times its worker was found to be gone. */
  get stalledCounter(): number {
    return this.#record.stalledCounter;
  }

  /** The result, or `null` unless completed. */
  get returnvalue(): Result | null {
    return this.#record.returnValue === null ? null : (JSON.parse(this.#record.returnValue) as Result);
  }

  /** Message of the last failure. */
  get failedReason(): string | undefined {
    return this.#record.failedReason ?? undefined;
  }

  /** Outcome code of a failure, such as `no-handler` or `stalled`. */
  get failedCode(): string | undefined {
    return this.#record.failedCode ?? undefined;
  }

  /** Stacks of the attempts that failed, oldest first. */
  get stacktrace(): string[] {
    const stacks = parsed(this.#record.stacktrace);
    return Array.isArray(stacks) ? (stacks as string[]) : [];
  }

  /** Time at which a worker last took the job, in milliseconds since 1970. */
  get processedOn(): number | undefined {
    return this.#record.processedOn ?? undefined;
  }

  /** Time of completion or final failure, in milliseconds since 1970. */
  get finishedOn(): number | undefined {
    return this.#record.finishedOn ?? undefined;
  }

  /** Name of the last worker that has one. */
  get processedBy(): string | undefined {
    return this.#record.processedBy ?? undefined;
  }

  /** Where the job stands now, or `unknown` when the queue does not hold it (any more). */
  async getState(): Promise<JobState | 'unknown'> {
    return (await this.#owner.fetchState(this.id)) ?? 'unknown';
  }

  /** Whether the job ended well. */
  async isCompleted(): Promise<boolean> {
    return (await this.getState()) === 'completed';
  }

  /** Whether the job failed for good. */
  async isFailed(): Promise<boolean> {
    return (await this.getState()) === 'failed';
  }

  /** Whether the job waits for its time. */
  async isDelayed(): Promise<boolean> {
    return (await this.getState()) === 'delayed';
  }

  /** Whether a worker has the job. */
  async isActive(): Promise<boolean> {
    return (await this.getState()) === 'active';
  }

  /** Whether the job is ready to run, with a priority or without. */
  async isWaiting(): Promise<boolean> {
    const state = await this.getState();
    return state === 'waiting' || state === 'prioritized';
  }

  /** Whether the job waits for its children, in a flow that a client of BullMQ made. */
  async isWaitingChildren(): Promise<boolean> {
    return (await this.getState()) === 'waiting-children';
  }

  /**
   * Stores progress and tells it to all listeners of the queue.
   *
   * @param progress - any JSON value
   * @throws UnserializableDataError when it cannot be written as JSON
   * @throws JobNotFoundError when the queue does not hold the job any more
   */
  async updateProgress(progress: unknown): Promise<void> {
    const json = toJson(progress, 'null', 'progress', this.name);
    await this.#owner.updateProgress(this.id, json);
    this.#record.progress = json;
    this.#owner.onProgress(this, progress);
  }

  /**
   * Progress of the job: the last known value first, then each further one. Completes when the job ends, in any way,
   * or is not there (any more); never errors.
   */
  get progress$(): Observable<unknown> {
    return new Observable((subscriber) => {
      let early: unknown[] | undefined = [];
      let ended = false;
      // Listening comes before reading: an end between the two is not lost.
      const listening = this.#owner.events$.pipe(filter((event) => isAbout(event, this.id))).subscribe({
        next: (event) => {
          if (event.type === 'progress') {
            if (early === undefined) {
              subscriber.next(event.data);
            } else {
              early.push(event.data);
            }
          } else if (event.type === 'completed' || event.type === 'failed') {
            ended = true;
            if (early === undefined) {
              subscriber.complete();
            }
          }
        },
        complete: () => subscriber.complete(),
      });
      const begin = (known: unknown[], over: boolean): void => {
        const values = early!.length > 0 ? early! : known;
        early = undefined;
        values.forEach((value) => subscriber.next(value));
        if (over || ended) {
          subscriber.complete();
        }
      };
      this.#owner.fetchRecord(this.id).then(
        (record) => begin(record?.progress == null ? [] : [JSON.parse(record.progress)], isOver(record)),
        // What was is unknown, what comes is not: the events go on.
        () => begin([], false),
      );
      return listening;
    });
  }

  /**
   * Takes in the outcome that was written for the job.
   *
   * @param now - store time of the writing
   *
   * @internal
   */
  takeOutcome(outcome: Outcome, now: number): void {
    const record = this.#record;
    if (outcome.kind === 'handed-back') {
      return;
    }
    record.attemptsMade += 1;
    if (outcome.kind === 'completed') {
      record.returnValue = outcome.returnValue;
      record.finishedOn = now;
      return;
    }
    record.failedReason = outcome.reason;
    record.stacktrace = outcome.stacktrace;
    if (outcome.kind === 'failed') {
      record.failedCode = outcome.code;
      record.finishedOn = now;
    }
  }

  /** The job as plain data, for storing or sending elsewhere. */
  toJSON(): JobJson {
    return {
      id: this.id,
      name: this.name,
      data: this.data,
      opts: this.opts,
      progress: this.progress,
      delay: this.delay,
      priority: this.priority,
      timestamp: this.timestamp,
      attemptsMade: this.attemptsMade,
      attemptsStarted: this.attemptsStarted,
      stalledCounter: this.stalledCounter,
      returnvalue: this.returnvalue,
      failedReason: this.failedReason,
      failedCode: this.failedCode,
      stacktrace: this.stacktrace,
      processedOn: this.processedOn,
      finishedOn: this.finishedOn,
      processedBy: this.processedBy,
    };
  }

  /** What `console.log` shows: never the payload. */
  [inspect.custom](): string {
    return `Job { id: ${inspect(this.id)}, name: ${inspect(this.name)}, queueName: ${inspect(this.queueName)} }`;
  }
}

function isOver(record: JobRecord | null): boolean {
  return record === null || record.state === 'completed' || record.state === 'failed';
}

function isAbout(event: QueueEvent, jobId: string): boolean {
  return 'jobId' in event && event.jobId === jobId;
}

/** Whatever was stored, a job can be run to an end: options that are none say nothing. */
function optionsOf(text: string): StoredJobOptions {
  const options = parsed(text);
  return typeof options === 'object' && options !== null ? options : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
