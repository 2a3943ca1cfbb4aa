/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { StoredScheduler } from '../contract/outside-view';
import type { WorkerInfo } from '../contract/worker-lookup';
import { rangeOf } from './queue-arguments';
import type { Job } from './job';
import { QueueLimits } from './queue-limits';

/** What is stored with a queue of ours, too: lua/includes/step.lua. */
const VERSION = 'bullmq:6.7.0+nestjs-lane';

/**
 * A worker, as `getWorkers` tells of it, together with the names by which dashboards for BullMQ look for the same.
 *
 * @public
 */
export interface ConnectedWorker extends WorkerInfo {
  /** `address`. */
  addr: string | null;
  /** `connectionId`. */
  id?: string;
  /** `connectedFor`, in seconds. */
  age?: number;
  /** Name of the queue, and behind `:w:` that of the worker if it has one. */
  rawname: string;
}

/**
 * A job scheduler that a client of BullMQ has stored, in the shape in which it tells of it.
 *
 * @public
 */
export interface JobSchedulerInfo {
  /** Id of the scheduler. */
  key: string;
  /** Name of its jobs. */
  name: string;
  /** Time of the present or next iteration, in milliseconds since 1970. */
  next: number;
  /** Cron pattern. */
  pattern?: string;
  /** Time zone of the pattern. */
  tz?: string;
  /** Milliseconds between two iterations. */
  every?: number;
  /** Milliseconds by which iterations are later than whole multiples of `every`. */
  offset?: number;
  /** Iterations so far, the present one included. */
  iterationCount?: number;
  /** Iterations at most. */
  limit?: number;
  /** Time before which it does nothing. */
  startDate?: number;
  /** Time after which it does nothing. */
  endDate?: number;
  /** What its jobs are made from. */
  template?: { data?: unknown; opts?: Record<string, unknown> };
}

/**
 * The part of a `Queue` that dashboards for BullMQ ask for beside jobs and counts.
 *
 * @internal
 */
export abstract class QueueOutside<AnyJob extends Job = Job, Result = any> extends QueueLimits<
  AnyJob,
  Result
> {
  /** By its `version`, dashboards for BullMQ know a queue object that has BullMQ's shape. */
  get metaValues(): { version: string } {
    return { version: VERSION };
  }

  /**
   * What the names of the queue's keys begin with on a store that has keys, such as `bull:email`; elsewhere, and while
   * the backend of a URL is still being loaded, the name of the queue.
   */
  get qualifiedName(): string {
    return this.opened?.backend.outside?.qualifiedName ?? this.name;
  }

  /**
   * Name of a key of the queue.
   *
   * @param type - what stands behind the colon, such as `completed`
   */
  toKey(type: string): string {
    return `${this.qualifiedName}:${type}`;
  }

  /**
   * The way for dashboards to the server itself, such as for its figures: `client` is the client of the driver, `ioredis`
   * on Redis, once it is connected. It is the one that the queue works with, so it is not to be closed.
   *
   * @returns `null` where no other clients share the store, as in memory, and while the backend of a URL is still being
   * loaded
   */
  getBackend(): { readonly client: Promise<unknown> } | null {
    const outside = this.opened?.backend.outside;
    return outside === undefined ? null : new DatastoreOfQueue(() => outside.client());
  }

  /**
   * The workers of the queue, in whatever process, in any order: each from its start until its `close()`. A server may
   * take a moment to see that one came or went.
   *
   * @throws CommandForbiddenError when the server does not tell who is connected
   */
  async getWorkers(): Promise<ConnectedWorker[]> {
    const workers = await (await this.use('getWorkers')).backend.getWorkers();
    return workers.map((worker) => ({
      ...worker,
      addr: worker.address,
      ...(worker.connectionId !== undefined && { id: worker.connectionId }),
      ...(worker.connectedFor !== undefined && { age: worker.connectedFor }),
      rawname: worker.name === null ? this.name : `${this.name}:w:${worker.name}`,
    }));
  }

  /** How many workers the queue has, see `getWorkers`. */
  async getWorkersCount(): Promise<number> {
    return (await this.getWorkers()).length;
  }

  /**
   * The job schedulers that clients of BullMQ have stored, the next to come first. None in memory.
   *
   * @param start - first position, from 0
   * @param end - last position, included; -1 for all
   * @param asc - `true`: the next to come first (default); `false`: the last
   * @throws InvalidRangeError for a bad position
   */
  async getJobSchedulers(start = 0, end = -1, asc = true): Promise<JobSchedulerInfo[]> {
    const range = rangeOf(start, end);
    const { outside } = (await this.use('getJobSchedulers')).backend;
    const order = asc ? 'ascending' : 'descending';
    return ((await outside?.schedulers({ ...range, order })) ?? []).map(toInfo);
  }

  /** A job scheduler that a client of BullMQ has stored, or `undefined`. */
  async getJobScheduler(id: string): Promise<JobSchedulerInfo | undefined> {
    const { outside } = (await this.use('getJobScheduler')).backend;
    const stored = await outside?.scheduler(id);
    return stored == null ? undefined : toInfo(stored);
  }

  /** How many job schedulers clients of BullMQ have stored. */
  async getJobSchedulersCount(): Promise<number> {
    const { outside } = (await this.use('getJobSchedulersCount')).backend;
    return (await outside?.countSchedulers()) ?? 0;
  }
}

/**
 * What BullMQ's classes may be handed as the backend of a queue of ours: it has a client, and emits nothing. Flows are
 * not read through it.
 */
class DatastoreOfQueue {
  readonly #connected: () => Promise<unknown>;

  constructor(connected: () => Promise<unknown>) {
    this.#connected = connected;
  }

  get client(): Promise<unknown> {
    return this.#connected();
  }

  on(): this {
    return this;
  }
}

function toInfo({ id, next, fields }: StoredScheduler): JobSchedulerInfo {
  const numbers = {
    every: fields['every'],
    offset: fields['offset'],
    iterationCount: fields['ic'],
    limit: fields['limit'],
    startDate: fields['startDate'],
    endDate: fields['endDate'],
  };
  const template = {
    ...(fields['data'] !== undefined && { data: parsed(fields['data']) }),
    ...(fields['opts'] !== undefined && { opts: parsed(fields['opts']) as Record<string, unknown> }),
  };
  return {
    key: id,
    name: fields['name'] ?? id,
    next,
    ...(fields['pattern'] !== undefined && { pattern: fields['pattern'] }),
    ...(fields['tz'] !== undefined && { tz: fields['tz'] }),
    ...Object.fromEntries(
      Object.entries(numbers)
        .filter(([, text]) => text !== undefined && Number.isFinite(Number(text)))
        .map(([name, text]) => [name, Number(text)]),
    ),
    ...(Object.keys(template).length > 0 && { template }),
  };
}

/** Other clients store what they like. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
