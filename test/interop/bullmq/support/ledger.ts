import { expect } from '@jest/globals';

import type { Party } from './bullmq';
import type { CommonGround, CommonJobOptions, Handler } from './common-ground';

/** How a job is added, what its handler does, and what has to become of it. */
interface KindOfJob {
  readonly opts: CommonJobOptions;
  /** How often it runs, all but the last time in vain, or all times where it ends as failed. */
  readonly runs: number;
  readonly ends: 'completed' | 'failed' | 'removed';
}

const hour = 3_600_000;

/** Jobs that need nobody but a worker. */
export const KINDS = {
  plain: { opts: {}, runs: 1, ends: 'completed' },
  prioritized: { opts: { priority: 4 }, runs: 1, ends: 'completed' },
  delayed: { opts: { delay: 30 }, runs: 1, ends: 'completed' },
  lifo: { opts: { lifo: true }, runs: 1, ends: 'completed' },
  retried: { opts: { attempts: 3 }, runs: 2, ends: 'completed' },
  'backed off': { opts: { attempts: 2, backoff: { type: 'fixed', delay: 15 } }, runs: 2, ends: 'completed' },
  broken: { opts: { attempts: 2, priority: 2 }, runs: 2, ends: 'failed' },
} as const satisfies Record<string, KindOfJob>;

/** Jobs that stay where they are until somebody manages them. */
export const MANAGED_KINDS = {
  promoted: { opts: { delay: hour }, runs: 1, ends: 'completed' },
  hastened: { opts: { delay: hour }, runs: 1, ends: 'completed' },
  preferred: { opts: { delay: hour, priority: 9 }, runs: 1, ends: 'completed' },
  edited: { opts: { delay: hour }, runs: 1, ends: 'completed' },
  removed: { opts: { delay: hour }, runs: 0, ends: 'removed' },
  'retried by hand': { opts: {}, runs: 2, ends: 'completed' },
} as const satisfies Record<string, KindOfJob>;

export type ManagedKind = keyof typeof MANAGED_KINDS;
type Kind = keyof typeof KINDS | ManagedKind;

const allKinds: Record<Kind, KindOfJob> = { ...KINDS, ...MANAGED_KINDS };

export interface LedgerJob {
  readonly name: Kind;
  readonly data: { readonly n: number };
  readonly opts: CommonJobOptions & { jobId: string };
}

/** A job of either party, as far as the ledger looks at it. */
interface StoredJob {
  readonly id?: string;
  readonly attemptsMade: number;
  readonly returnvalue: unknown;
}

interface StoredQueue {
  getJobs(types: ('completed' | 'failed')[]): Promise<StoredJob[]>;
  getJobCounts(): Promise<Record<string, number>>;
}

/** What an entry of the log of events says. */
export interface Told {
  readonly event: string;
  readonly jobId: string;
}

/** An entry of the log with its time, by the clock of the server. */
export interface Logged extends Told {
  readonly at: number;
}

/** Bookkeeping by id: which jobs were added, who ran each, how often, and what has to be left of it. */
export class Ledger {
  readonly jobs: LedgerJob[] = [];
  readonly runs = new Map<string, { by: Party; attempt: number }[]>();

  /** New jobs, in turn of each kind. */
  enter(prefix: Party, count: number, kinds: readonly Kind[]): LedgerJob[] {
    const first = this.jobs.length;
    const entered = Array.from({ length: count }, (_, index): LedgerJob => {
      const name = kinds[index % kinds.length]!;
      const n = first + index;
      return { name, data: { n }, opts: { ...allKinds[name].opts, jobId: `${prefix}-${n}` } };
    });
    this.jobs.push(...entered);
    return entered;
  }

  handler(by: Party): Handler {
    return async (job) => {
      const runs = this.runs.get(job.id!) ?? [];
      this.runs.set(job.id!, [...runs, { by, attempt: job.attemptsStarted }]);
      await job.updateProgress({ begun: job.attemptsStarted });
      const { runs: most, ends } = allKinds[job.name as Kind];
      if (runs.length + 1 < most || ends === 'failed') throw new Error(`run ${runs.length + 1}`);
      return job.data;
    };
  }

  /** Who has run something. */
  get workers(): Set<Party> {
    return new Set([...this.runs.values()].flat().map(({ by }) => by));
  }
}

/** Every job ran as often as it had to and ended as it had to, to the log and to all who look at the queue. */
export async function expectSound(
  ledger: Ledger,
  ground: CommonGround,
  queue: string,
  readers: readonly StoredQueue[],
): Promise<void> {
  const table = (of: (kind: KindOfJob, job: LedgerJob) => unknown): [string, unknown][] =>
    ledger.jobs.map((job) => [job.opts.jobId, of(allKinds[job.name], job)] as [string, unknown]).sort(byId);

  expect(
    ledger.jobs
      .map(({ opts }) => [opts.jobId, ledger.runs.get(opts.jobId)?.map(({ attempt }) => attempt) ?? []])
      .sort(byId),
  ).toEqual(table(({ runs }) => Array.from({ length: runs }, (_, index) => index + 1)));

  const log = await logOf(ground, queue);
  expect(log.filter(({ event }) => ['stalled', 'duplicated'].includes(event))).toEqual([]);
  const counted = new Map<string, number>();
  for (const { event, jobId } of log) {
    counted.set(`${event} ${jobId}`, (counted.get(`${event} ${jobId}`) ?? 0) + 1);
  }
  const told = (event: string): [string, unknown][] =>
    ledger.jobs
      .map(({ opts }): [string, unknown] => [opts.jobId, counted.get(`${event} ${opts.jobId}`) ?? 0])
      .sort(byId);
  expect(told('added')).toEqual(table(() => 1));
  expect(told('active')).toEqual(table(({ runs }) => runs));
  expect(told('completed')).toEqual(table(({ ends }) => (ends === 'completed' ? 1 : 0)));
  expect(told('removed')).toEqual(table(({ ends }) => (ends === 'removed' ? 1 : 0)));
  // One that is retried by hand has failed once before.
  expect(told('failed')).toEqual(
    table(({ ends }, { name }) => (ends === 'failed' || name === 'retried by hand' ? 1 : 0)),
  );

  for (const reader of readers) {
    for (const state of ['completed', 'failed'] as const) {
      const expected = ledger.jobs
        .filter(({ name }) => allKinds[name].ends === state)
        .map(({ name, data, opts }) => [
          opts.jobId,
          allKinds[name].runs,
          state === 'completed' ? { ...data, ...(name === 'edited' && { edited: true }) } : null,
        ])
        .sort(byId);
      const stored = await reader.getJobs([state]);
      expect(
        stored.map(({ id, attemptsMade, returnvalue }) => [id, attemptsMade, returnvalue ?? null]).sort(byId),
      ).toEqual(expected);
    }
    const counts = await reader.getJobCounts();
    const unfinished = ['waiting', 'active', 'delayed', 'prioritized'].filter((state) => counts[state] !== 0);
    expect(unfinished).toEqual([]);
  }
  const left = (await ground.keys()).filter((key) =>
    /:(?:lock|active|wait|paused|delayed|prioritized)$/.test(key),
  );
  expect(left).toEqual([]);
}

/** The log of events of a queue, as it is stored. */
export async function logOf(ground: CommonGround, queue: string): Promise<Logged[]> {
  const entries = await ground.redis.xrange(ground.key(queue, 'events'), '-', '+');
  return entries.map(([entry, fields]) => ({
    at: Number(entry.split('-')[0]),
    event: fields[fields.indexOf('event') + 1]!,
    jobId: fields.includes('jobId') ? fields[fields.indexOf('jobId') + 1]! : '',
  }));
}

function byId(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[0]) < String(other[0]) ? -1 : 1;
}
