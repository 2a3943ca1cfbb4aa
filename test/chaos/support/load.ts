import assert from 'node:assert/strict';

import { afterEach } from '@jest/globals';
import { Queue, QueueEvents, Worker, type Job, type WorkerSettings } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { waitUntil } from '../../support/wait-until';

/** Short, so that what is left under a lease is free again soon. */
export const terms = {
  lockDuration: 1_000,
  stalledInterval: 250,
  drainDelay: '1s',
  concurrency: 20,
  maxStalledCount: 100,
} as const satisfies Partial<WorkerSettings>;

/** Milliseconds after which nothing is left under a lease that nobody holds: a lease and two sweeps, and some more. */
const longestStranding = terms.lockDuration + 2 * terms.stalledInterval + 2_000;

/** How an add ended, by the index in its data. */
type AddOutcome = 'added' | 'unknown' | 'refused';

interface Payload {
  index: number;
}

export const queueName = 'load';

/** Adds that are under way at once, and those of one tick, which travel together. */
const perTick = 10;

/**
 * Many jobs on one queue, with the bookkeeping that tells whether any was lost, added twice or completed twice.
 *
 * To be made before the leak guard is set, which looks when everything is closed.
 */
export class Load {
  readonly prefix = `lane-chaos-${Math.random().toString(36).slice(2)}`;
  /** How often a handler began, by job and attempt. */
  readonly runs = new Map<string, number>();
  /** What the workers reported, worker by worker. */
  readonly errors: Error[][] = [];
  readonly #adds = new Map<number, AddOutcome>();
  readonly #open = new Set<{ close(): Promise<void> }>();
  #completed = 0;

  /**
   * @param url - of the server, as those under test reach it
   * @param directUrl - of the server, past whatever is done to connections
   */
  constructor(
    private readonly url: string,
    private readonly directUrl = url,
  ) {}

  /** Jobs that workers of this process have completed so far. */
  get completed(): number {
    return this.#completed;
  }

  /** Adds that have ended so far, well or badly. */
  get added(): number {
    return this.#adds.size;
  }

  queue(url = this.url): Queue<Payload> {
    return this.#keep(new Queue<Payload>(queueName, { backend: redis({ url, prefix: this.prefix }) }));
  }

  /** Starts a worker whose handlers take a few turns of the event loop. */
  work(settings: Partial<WorkerSettings> = {}): Worker {
    const errors: Error[] = [];
    this.errors.push(errors);
    const worker = new Worker<Payload>(queueName, (job) => this.#handle(job), {
      ...terms,
      backend: redis({ url: this.url, prefix: this.prefix }),
      ...settings,
    });
    worker.on('completed', () => (this.#completed += 1));
    worker.on('error', (error) => errors.push(error));
    return this.#keep(worker);
  }

  /** Takes note of a handler that began in another process. */
  began(id: string, attempt: number): void {
    const key = `${id} ${attempt}`;
    this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
  }

  /** Adds so many jobs, a few at a time, whatever becomes of each. */
  async add(count: number, queue = this.queue()): Promise<void> {
    for (let first = this.#adds.size; first < count; first += perTick) {
      await Promise.all(
        Array.from({ length: Math.min(perTick, count - first) }, (_, offset) =>
          this.#addOne(queue, first + offset),
        ),
      );
    }
  }

  /**
   * Waits until every job that was stored is done, and looks whether that is right.
   *
   * @param deadline - milliseconds that the jobs may take
   */
  async expectSound({ deadline = longestStranding } = {}): Promise<void> {
    const queue = this.queue(this.directUrl);
    let counts: Record<string, number> = {};
    const isDone = async () => {
      counts = await queue.getJobCounts();
      return ['waiting', 'prioritized', 'delayed', 'active'].every((state) => counts[state] === 0);
    };
    try {
      await waitUntil(isDone, { reason: 'nothing is left to do', deadline });
    } catch (error) {
      throw new Error(`${(error as Error).message} ${JSON.stringify(counts)}`, { cause: error });
    }
    await this.closeAll([queue]);

    const jobs = await queue.getJobs();
    const stored = jobs.map(({ data }) => data.index);
    assert.deepEqual(duplicatesOf(stored), [], 'jobs are stored twice');
    const storedOnce = new Set(stored);
    const of = (outcome: AddOutcome) =>
      [...this.#adds].filter(([, each]) => each === outcome).map(([index]) => index);
    const isStored = (index: number) => storedOnce.has(index);
    assert.deepEqual(
      of('added').filter((index) => !isStored(index)),
      [],
      'jobs are lost',
    );
    assert.deepEqual(of('refused').filter(isStored), [], 'jobs are stored whose add said that they are not');

    assert.deepEqual([counts.completed, counts.failed], [jobs.length, 0], 'jobs failed');
    const completed = await this.#completedEvents(queue);
    assert.deepEqual(duplicatesOf(completed), [], 'jobs are completed twice');
    assert.deepEqual(completed.sort(), jobs.map(({ id }) => id).sort());
    assert.deepEqual(
      [...this.runs].filter(([, runs]) => runs > 1),
      [],
      'attempts are run twice',
    );
    await this.closeAll();
  }

  /** No add was given up: each fault was over before its time was. */
  expectAllAdded(): void {
    assert.deepEqual(
      [...this.#adds].filter(([, outcome]) => outcome !== 'added'),
      [],
    );
  }

  /** Each worker has reported at most one error of each kind: an outage is one line a minute. */
  expectFewErrors(): void {
    for (const errors of this.errors) {
      const codes = errors.map((error) => (error as { code?: string }).code ?? error.message);
      // What was lost with a lease is told job by job.
      assert.deepEqual(duplicatesOf(codes.filter((code) => code !== 'LANE_LEASE_LOST')), []);
    }
  }

  /** Closes what was made here. */
  async closeAll(but: readonly { close(): Promise<void> }[] = []): Promise<void> {
    const open = [...this.#open].filter((each) => !but.includes(each));
    open.forEach((each) => this.#open.delete(each));
    await Promise.all(open.map((each) => each.close()));
  }

  #keep<Closable extends { close(): Promise<void> }>(closable: Closable): Closable {
    this.#open.add(closable);
    return closable;
  }

  async #handle(job: Job<Payload>): Promise<void> {
    this.began(job.id, job.attemptsStarted);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async #addOne(queue: Queue<Payload>, index: number): Promise<void> {
    this.#adds.set(index, await outcomeOf(queue.add('job', { index })));
  }

  /** Ids of all `completed` events of the queue: reads up to the one of a job that is added for that. */
  async #completedEvents(queue: Queue<Payload>): Promise<string[]> {
    const events = this.#keep(
      new QueueEvents(queueName, {
        backend: redis({ url: this.directUrl, prefix: this.prefix }),
        lastEventId: '0-0',
      }),
    );
    const completed: string[] = [];
    let last: string | undefined;
    events.on('completed', ({ jobId }) => completed.push(jobId));
    events.on('added', ({ jobId }) => (last = jobId));
    const end = await queue.add('end', { index: -1 }, { jobId: 'the-end', delay: '1d' });
    await waitUntil(() => last === end.id, { reason: 'all events are read' });
    return completed;
  }
}

/** Makes a load for each test, and closes it after the test. */
export function useLoads(): (url: string, directUrl?: string) => Load {
  const loads: Load[] = [];
  afterEach(async () => {
    await Promise.all(loads.splice(0).map((load) => load.closeAll()));
  });
  return (...urls) => {
    const load = new Load(...urls);
    loads.push(load);
    return load;
  };
}

async function outcomeOf(add: Promise<unknown>): Promise<AddOutcome> {
  try {
    await add;
    return 'added';
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'LANE_OUTCOME_UNKNOWN') return 'unknown';
    if (code === 'LANE_CONNECTION_LOST' || code === 'LANE_CALL_EXPIRED') return 'refused';
    throw error;
  }
}

function duplicatesOf(values: readonly (number | string)[]): (number | string)[] {
  const seen = new Set<number | string>();
  return values.filter((value) => seen.has(value) || !seen.add(value));
}
