import type {
  FlowProducer as TheirFlowProducer,
  Queue as TheirQueue,
  QueueOptions as TheirQueueOptions,
  QueueEvents as TheirQueueEvents,
  Worker as TheirWorker,
  WorkerOptions as TheirWorkerOptions,
} from 'bullmq-6';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';

import { Queue, QueueEvents, Worker, type LaneBackend, type QueueOptions } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { waitUntil } from '../../../support/wait-until';
import { bullmq, type Major, type Party } from './bullmq';
import { serverUrl } from './server';

/** A job in a handler, as far as it is the same for all parties. */
export interface TakenJob {
  readonly id?: string;
  readonly name: string;
  readonly data: unknown;
  readonly attemptsMade: number;
  readonly attemptsStarted: number;
  updateProgress(progress: string | number | boolean | object): Promise<void>;
  moveToDelayed(timestamp: number, token?: string): Promise<void>;
  moveToWait(token?: string): Promise<unknown>;
}

/** What a queue of either party adds: name, data and options that both know. */
export type ProducedJob = [name: string, data: unknown, opts?: CommonJobOptions];

export interface CommonJobOptions {
  jobId?: string;
  delay?: number;
  priority?: number;
  attempts?: number;
  backoff?: { type: 'fixed' | 'exponential'; delay: number };
  lifo?: boolean;
  removeOnComplete?: boolean | number | { count?: number; age?: number };
  removeOnFail?: CommonJobOptions['removeOnComplete'];
}

/** A queue of either party, as far as it is the same. */
export interface Producer {
  add(name: string, data: unknown, opts?: CommonJobOptions): Promise<{ id?: string }>;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export type Handler = (job: TakenJob, token?: string) => unknown;

/** Worker options that all parties know, in one unit. */
export interface CommonWorkerOptions {
  concurrency?: number;
  name?: string;
  lockDuration?: number;
  stalledInterval?: number;
  maxStalledCount?: number;
  /** Seconds. */
  drainDelay?: number;
  removeOnComplete?: { count: number };
  limiter?: { max: number; duration: number };
  maximumRateLimitDelay?: number;
  metrics?: { maxDataPoints: number };
  settings?: { backoffStrategy(attemptsMade: number, type?: string): number };
}

export interface Closeable {
  close(): Promise<unknown>;
}

type TheirOwnQueueOptions = Omit<TheirQueueOptions, 'connection' | 'prefix'>;

interface TheirStarting extends Closeable {
  waitUntilReady(): Promise<unknown>;
}

/** What is closed while it starts leaves timers and sockets behind, with BullMQ 5 for half a minute. */
async function whenStarted(theirs: TheirStarting): Promise<void> {
  await theirs.waitUntilReady();
  if (theirs instanceof bullmq(5).Worker && !theirs.opts.skipStalledCheck) {
    await waitUntil(() => 'stalledCheckStopper' in theirs, {
      reason: 'BullMQ 5 had looked for stalled jobs',
    });
  }
}

const runnable = ['wait', 'paused', 'active', 'prioritized'];
const pending = [...runnable, 'delayed'];

/**
 * A namespace of a server in which BullMQ and we share queues. It knows everything that was opened in it, and closes
 * that, workers first.
 */
export class CommonGround {
  readonly prefix = `lane-${randomBytes(6).toString('hex')}`;
  readonly redis = new Redis(serverUrl());
  /** Which clients of BullMQ we are told of. */
  expected: 'auto' | Major = 'auto';
  /** Errors that any party reported. */
  readonly errors: Error[] = [];
  readonly #workers: Closeable[] = [];
  readonly #others: Closeable[] = [];
  #backend: LaneBackend | undefined;

  get backend(): LaneBackend {
    this.#backend ??= redis({ url: serverUrl(), prefix: this.prefix, bullmq: this.expected });
    return this.#backend;
  }

  /** What BullMQ is told about the server. */
  get connection(): { connection: { url: string }; prefix: string } {
    return { connection: { url: serverUrl() }, prefix: this.prefix };
  }

  key(queue: string, ...rest: string[]): string {
    return [this.prefix, queue, ...rest].join(':');
  }

  ourQueue(name: string, options: Omit<QueueOptions, 'backend'> = {}): Queue {
    return this.#watch(new Queue(name, { backend: this.backend, ...options }), this.#others);
  }

  producer(party: Party, name: string): Producer {
    // BullMQ wants a stricter type for the ages of jobs that are kept.
    return party === 'ours' ? this.ourQueue(name) : (this.theirQueue(party, name) as Producer);
  }

  ourEvents(name: string): QueueEvents {
    return this.#watch(new QueueEvents(name, { backend: this.backend }), this.#others);
  }

  theirQueue(major: Major, name: string, options: TheirOwnQueueOptions = {}): TheirQueue {
    return this.#watchTheirs(
      new (bullmq(major).Queue)(name, { ...this.connection, ...options }),
      this.#others,
    );
  }

  /** Listens from the first event of the queue on. */
  theirEvents(major: Major, name: string): TheirQueueEvents {
    const events = new (bullmq(major).QueueEvents)(name, { ...this.connection, lastEventId: '0-0' });
    return this.#watchTheirs(events, this.#others);
  }

  flows(major: Major): TheirFlowProducer {
    return this.#watchTheirs(new (bullmq(major).FlowProducer)(this.connection), this.#others);
  }

  /** Starts a worker. */
  work(party: Party, queue: string, handler: Handler, options: CommonWorkerOptions = {}): Closeable {
    if (party !== 'ours') {
      return this.theirWorker(party, queue, handler, options);
    }
    const worker = new Worker(queue, (job, token) => handler(job, token), {
      backend: this.backend,
      ...options,
    });
    return this.#watch(worker, this.#workers);
  }

  /** A worker of ours that runs nothing by itself. */
  ourHands(queue: string, options: CommonWorkerOptions = {}): Worker {
    return this.#watch(new Worker(queue, null, { backend: this.backend, ...options }), this.#workers);
  }

  /** A worker of theirs that runs nothing by itself. */
  theirHands(major: Major, queue: string, options: CommonWorkerOptions = {}): TheirWorker {
    const worker = new (bullmq(major).Worker)(queue, null, {
      ...this.connection,
      ...options,
      skipStalledCheck: true,
    });
    return this.#watchTheirs(worker, this.#workers);
  }

  /** Starts a worker of theirs, with options that only they have. */
  theirWorker(
    major: Major,
    queue: string,
    handler: Handler,
    options: CommonWorkerOptions & Pick<TheirWorkerOptions, 'skipStalledCheck'> = {},
  ): Closeable {
    const worker = new (bullmq(major).Worker)(queue, async (job, token) => handler(job, token), {
      ...this.connection,
      ...options,
    });
    return this.#watchTheirs(worker, this.#workers);
  }

  /** Waits until nothing can run any more without something being added. */
  async untilQuiet(...queues: string[]): Promise<void> {
    await waitUntil(
      async () => (await Promise.all(queues.map((queue) => this.#pending(queue)))).every((n) => n === 0),
      { reason: `nothing was left to run in ${queues.join(', ')}`, deadline: 15_000 },
    );
  }

  /** Waits until nothing runs or could run now. */
  async untilIdle(...queues: string[]): Promise<void> {
    await waitUntil(
      async () =>
        (await Promise.all(queues.map((queue) => this.#pending(queue, runnable)))).every((n) => n === 0),
      { reason: `nothing ran in ${queues.join(', ')}`, deadline: 15_000 },
    );
  }

  /** Closes the workers; the queues stay open. */
  async stopWorkers(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.close()));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await Promise.all(this.#others.splice(0).map((other) => other.close()));
    const keys = await this.keys();
    if (keys.length > 0) {
      await this.redis.unlink(keys);
    }
    await this.redis.quit();
  }

  /** All keys of the namespace. */
  async keys(): Promise<string[]> {
    const found: string[] = [];
    let cursor = '0';
    do {
      const [next, page] = await this.redis.scan(cursor, 'MATCH', `${this.prefix}:*`, 'COUNT', 1000);
      found.push(...page);
      cursor = next;
    } while (cursor !== '0');
    return [...new Set(found)];
  }

  async #pending(queue: string, structures = pending): Promise<number> {
    const lengths = await Promise.all(
      structures.map((structure) =>
        structure === 'prioritized' || structure === 'delayed'
          ? this.redis.zcard(this.key(queue, structure))
          : this.redis.llen(this.key(queue, structure)),
      ),
    );
    return lengths.reduce((sum, length) => sum + length, 0);
  }

  #watch<T extends Closeable>(opened: T, among: Closeable[]): T {
    // Each party types its own events; all of them report errors alike.
    (opened as unknown as NodeJS.EventEmitter).on('error', (error: Error) => this.errors.push(error));
    among.push(opened);
    return opened;
  }

  #watchTheirs<T extends TheirStarting>(opened: T, among: Closeable[]): T {
    const close = opened.close.bind(opened);
    opened.close = async () => {
      await whenStarted(opened);
      await close();
    };
    return this.#watch(opened, among);
  }
}

/** Runs a piece of a spec on a ground of its own. */
export async function onCommonGround<T>(use: (ground: CommonGround) => Promise<T>): Promise<T> {
  const ground = new CommonGround();
  try {
    return await use(ground);
  } finally {
    await ground.close();
  }
}
