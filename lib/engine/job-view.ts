/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import { inspect } from 'node:util';

import type { Outcome } from '../contract/job-handover';
import { UnreadableDataError } from '../model/errors/unreadable-data.error';
import { readHeaders, type JobHeaders } from '../model/job-headers';
import type { JobRecord } from '../model/job-record';
import { readJobOptions, withLimits, type StoredJobOptions } from '../model/stored-job-options';
import { parseOrText } from './events/queue-event-codec';
import type { JobOwner } from './job-owner';

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
  headers: JobHeaders;
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
 * What a job shows: all that was known of it when it was read.
 *
 * @internal
 */
export abstract class JobView<Data = any, Result = any, Name extends string = string> {
  readonly #owner: JobOwner;
  readonly #record: JobRecord;
  #data: Data | undefined;
  #dataParsed = false;
  #opts: StoredJobOptions | undefined;
  #headers: JobHeaders | undefined;

  /** Proves the worker's lease while its handler runs; `undefined` elsewhere. */
  readonly token: string | undefined;

  /** @internal */
  constructor(owner: JobOwner, record: JobRecord, token?: string) {
    this.#owner = owner;
    this.#record = record;
    this.token = token;
  }

  /**
   * Where the job came from.
   *
   * @internal
   */
  protected get owner(): JobOwner {
    return this.#owner;
  }

  /**
   * What is known of the job. Calls that change the job change it here too.
   *
   * @internal
   */
  protected get record(): JobRecord {
    return this.#record;
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

  /** What the names of the queue's keys begin with on a store that has keys, such as `bull:email`; elsewhere its name. */
  get queueQualifiedName(): string {
    return this.#owner.qualifiedName;
  }

  /**
   * The payload.
   *
   * @throws UnreadableDataError when what another client has stored is no JSON
   */
  get data(): Data {
    if (!this.#dataParsed) {
      this.#data = this.#parseData();
      this.#dataParsed = true;
    }
    return this.#data as Data;
  }

  /** The options as stored: durations resolved, only what was given. */
  get opts(): StoredJobOptions {
    if (this.#opts === undefined) {
      const { options, timeout, expiresIn } = this.#record;
      this.#opts = withLimits(readJobOptions(options), timeout, expiresIn);
    }
    return this.#opts;
  }

  /** Last progress, 0 before the first. What is no JSON, which other clients may store, is a text, as in events. */
  get progress(): unknown {
    return this.#record.progress === null ? 0 : parseOrText(this.#record.progress);
  }

  /** Milliseconds the job was held back; 0 once it was due. */
  get delay(): number {
    return this.#record.delay;
  }

  /** 0 to 2097151; lower runs first. */
  get priority(): number {
    return this.#record.priority;
  }

  /** Milliseconds that each attempt may take, where the job itself says so. */
  get timeout(): number | undefined {
    return this.#record.timeout ?? undefined;
  }

  /**
   * Time in milliseconds since 1970 from which on the job expires, unless it has been started by then; `undefined` without
   * `expiresIn`, and once the job has expired or was run again.
   */
  get expiresAt(): number | undefined {
    return this.#record.expiresAt ?? undefined;
  }

  /** What travels with the job besides its data: texts by name, in lower case; frozen, and empty where there are none. */
  get headers(): JobHeaders {
    this.#headers ??= readHeaders(this.#record.headers);
    return this.#headers;
  }

  /**
   * Version of the form of the payload, where the job has one.
   *
   * @internal
   */
  get version(): number | undefined {
    return this.#record.version ?? undefined;
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

  /** Times that a worker of `LaneModule` held it back for want of a handler, since it was added or run again by hand. */
  get unhandled(): number {
    // Backends of others may not know of it.
    return this.#record.unhandled ?? 0;
  }

  /** The result, or `null` unless completed. What is no JSON, which other clients may store, is a text, as in events. */
  get returnvalue(): Result | null {
    return this.#record.returnValue === null ? null : (parseOrText(this.#record.returnValue) as Result);
  }

  /** Message of the last failure. */
  get failedReason(): string | undefined {
    return this.#record.failedReason ?? undefined;
  }

  /** Outcome code of a failure, such as `no-handler` or `stalled`. */
  get failedCode(): string | undefined {
    return this.#record.failedCode ?? undefined;
  }

  /** Reason with which the next worker fails the job in place of running it, such as too many stalls. */
  get deferredFailure(): string | undefined {
    return this.#record.deferredFailure ?? undefined;
  }

  /** Stacks of the attempts that failed, oldest first. */
  get stacktrace(): string[] {
    const stacks = parseOrText(this.#record.stacktrace);
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

  /**
   * Takes in a payload that was stored.
   *
   * @internal
   */
  protected takeData(json: string): void {
    this.#record.data = json;
    this.#dataParsed = false;
  }

  /**
   * Shows handlers the payload as its definition makes it, in place of what is stored.
   *
   * @internal
   */
  showData(data: unknown): void {
    this.#data = data as Data;
    this.#dataParsed = true;
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
    if (outcome.kind === 'delayed') {
      record.delay = Math.max(0, Math.ceil(outcome.until - now));
      record.unhandled = outcome.unhandled ?? record.unhandled;
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

  /**
   * The job as plain data, for storing or sending elsewhere.
   *
   * @throws UnreadableDataError as `data` does
   */
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
      headers: this.headers,
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

  #parseData(): Data {
    try {
      return JSON.parse(this.#record.data) as Data;
    } catch {
      // The parser's error quotes the payload, and would be stored as the reason of a failure.
      throw new UnreadableDataError(this.id, this.queueName);
    }
  }

  /** What `console.log` shows: never the payload. */
  [inspect.custom](): string {
    return `Job { id: ${inspect(this.id)}, name: ${inspect(this.name)}, queueName: ${inspect(this.queueName)} }`;
  }
}
