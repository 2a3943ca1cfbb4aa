import { beforeAll, describe, expect, it } from '@jest/globals';

import { expectNothingLeft, openResources } from '../../support/leak-guard';
import { lasting } from '../../support/lasting';
import { waitUntil } from '../../support/wait-until';
import type { Party } from './support/bullmq';
import { onCommonGround, type CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { SkewedParty, type HeldJob, type Run } from './support/skewed-party';

guardSharedQueues();

const off = 5_000;

/** By how much a job may be late: a worker that was not woken looks each second, on a machine with much to do. */
const late = 4_500;

/** The resolution of clocks, and of the timers of BullMQ. */
const early = 20;

/** A lease that would be over at once by a clock that is off. */
const leases = { lockDuration: 4_000, stalledInterval: 200, drainDelay: 1 };

/** More than a lease, in which there are many sweeps. */
const holds = 5_500;

const eachAdds = 200;
const held = 5;

/** Whose clock is wrong, and with whom it shares its queues: a row is a cell in either direction. */
const casts: { title: string; skewed: Party; sane: Party }[] = [
  { title: 'BullMQ 5 beside us', skewed: 5, sane: 'ours' },
  { title: 'BullMQ 6 beside us', skewed: 6, sane: 'ours' },
  { title: 'ours beside BullMQ 5', skewed: 'ours', sane: 5 },
  { title: 'ours beside BullMQ 6', skewed: 'ours', sane: 6 },
];

interface Delayed {
  readonly queue: string;
  readonly id: string;
  /** By the clock of the server: between these times it was due. */
  readonly due: [earliest: number, latest: number];
}

/** What happened in a cell. */
interface Happened {
  readonly runs: Run[];
  readonly delayed: Delayed[];
  /** Ids by queue. */
  readonly added: Record<string, string[]>;
  /** By queue. */
  readonly counts: Record<string, Record<string, number>>;
  /** Jobs that a sweep took back. */
  readonly stalled: string[];
  readonly errors: (Error | string)[];
}

const queues = ['load', 'held by skewed', 'held by sane', 'added by skewed', 'run by skewed'] as const;
type QueueName = (typeof queues)[number];

const jobsOf = (name: string, count: number, data: HeldJob['data'] = {}): HeldJob[] =>
  Array.from({ length: count }, (_, n) => ({
    name,
    data,
    opts: { jobId: `${name}-${n}`, ...(n % 4 === 3 && { priority: 3 }) },
  }));

/** Two parties at work on the same queues, one of them with a clock that is off. */
class Cell {
  readonly #runs: Run[] = [];
  readonly #delayed: Delayed[] = [];
  readonly #added: Record<string, string[]> = {};

  constructor(
    private readonly ground: CommonGround,
    private readonly party: SkewedParty,
    private readonly cast: (typeof casts)[number],
    private readonly skew: number,
  ) {}

  async live(): Promise<Happened> {
    await this.party.ready();
    await Promise.all([this.#load(), this.#hold('skewed'), this.#hold('sane'), this.#delay()]);
    await this.ground.untilQuiet(...queues);
    const counts: Happened['counts'] = {};
    const stalled: string[] = [];
    for (const queue of queues) {
      counts[queue] = await this.ground.ourQueue(queue).getJobCounts('completed', 'failed');
      const events = await this.ground.redis.xrange(this.ground.key(queue, 'events'), '-', '+');
      stalled.push(...events.filter(([, [, event]]) => event === 'stalled').map(([, fields]) => fields[3]!));
    }
    const runs = [...this.#runs, ...this.party.runs];
    const errors = [...this.ground.errors, ...this.party.errors];
    return { runs, delayed: this.#delayed, added: this.#added, counts, stalled, errors };
  }

  /** Both add, and both run what either has added, until both have run some. */
  async #load(): Promise<void> {
    await this.#work('skewed', 'load');
    await this.#work('sane', 'load');
    await Promise.all([
      this.#add('skewed', 'load', jobsOf('skewed', eachAdds, { holds: 10 })),
      this.#add('sane', 'load', jobsOf('sane', eachAdds, { holds: 10 })),
    ]);
    for (let more = 0; more < 100 && new Set(this.#runsIn('load').map(({ by }) => by)).size < 2; more += 1) {
      await this.#add('sane', 'load', jobsOf(`more-${more}`, 10, { holds: 10 }));
      await this.ground.untilIdle('load');
    }
  }

  /** One holds jobs for longer than a lease lasts, and the other looks for abandoned ones meanwhile. */
  async #hold(holder: Run['by']): Promise<void> {
    const queue = `held by ${holder}` as const;
    await this.#work(holder, queue);
    await this.#add(holder, queue, jobsOf('held', held, { holds }));
    await waitUntil(() => this.#runsIn(queue).length === held, { reason: 'all are held', deadline: 15_000 });
    await this.#work(holder === 'sane' ? 'skewed' : 'sane', queue);
  }

  async #delay(): Promise<void> {
    const shift = this.cast.skewed === 'ours' ? 0 : this.skew;
    await this.#work('sane', 'added by skewed');
    await this.#addDelayed('skewed', 'added by skewed', shift);
    await this.#work('skewed', 'run by skewed');
    await this.#addDelayed('sane', 'run by skewed', -shift);
  }

  /** @param shift - by how much later than it should a job is due */
  async #addDelayed(by: Run['by'], queue: QueueName, shift: number): Promise<void> {
    const delays = shift < 0 ? [200, 200 - shift] : [200, 700];
    for (const delay of delays) {
      const id = `delayed-${delay}`;
      const left = Math.max(0, delay + shift);
      const before = Date.now();
      await this.#add(by, queue, [{ name: 'delayed', data: {}, opts: { jobId: id, delay } }]);
      this.#delayed.push({ queue, id, due: [before + left, Date.now() + left] });
    }
  }

  async #add(by: Run['by'], name: QueueName, jobs: HeldJob[]): Promise<void> {
    (this.#added[name] ??= []).push(...jobs.map(({ opts }) => opts.jobId!));
    if (by === 'skewed') return this.party.add(name, jobs);
    const queue = this.ground.producer(this.cast.sane, name);
    await Promise.all(jobs.map((job) => queue.add(job.name, job.data, job.opts)));
  }

  async #work(by: Run['by'], queue: QueueName): Promise<void> {
    const options = { ...leases, concurrency: 10 };
    if (by === 'skewed') return this.party.work(queue, options);
    this.ground.work(
      this.cast.sane,
      queue,
      async (job) => {
        this.#runs.push({ queue, id: job.id!, by, at: Date.now(), attempt: job.attemptsStarted });
        const { holds: millis } = job.data as HeldJob['data'];
        if (millis) await lasting(millis);
        return job.id;
      },
      options,
    );
  }

  #runsIn(queue: QueueName): Run[] {
    return [...this.#runs, ...this.party.runs].filter((run) => run.queue === queue);
  }
}

describe.each([
  ['ahead', off],
  ['behind', -off],
])('a clock that is 5 s %s', (_, skew) => {
  const cells = new Map<string, PromiseSettledResult<Happened>>();

  // The cells wait, most of the time: so they do it together.
  beforeAll(async () => {
    const before = openResources();
    const all = casts.map((cast) =>
      onCommonGround(async (ground) => {
        const party = new SkewedParty(ground, cast.skewed, skew);
        try {
          return await new Cell(ground, party, cast, skew).live();
        } finally {
          await party.close();
        }
      }),
    );
    const results = await Promise.allSettled(all);
    casts.forEach(({ title }, index) => cells.set(title, results[index]!));
    await expectNothingLeft(before, 3_000);
  });

  function happenedTo(title: string): Happened {
    const result = cells.get(title)!;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  describe.each(casts)('of $title', ({ title }) => {
    it('loses no job, and has none run twice', () => {
      const { runs, added, counts, errors } = happenedTo(title);
      expect(errors).toEqual([]);
      expect(Object.keys(added).sort()).toEqual([...queues].sort());
      for (const queue of queues) {
        expect(counts[queue]).toEqual({ completed: added[queue]!.length, failed: 0 });
        const ran = runs.filter((run) => run.queue === queue);
        expect(ran.map(({ id }) => id).sort()).toEqual(added[queue]!.sort());
        expect(ran.filter(({ attempt }) => attempt !== 1)).toEqual([]);
      }
    });

    it('takes no job from whoever holds it', () => {
      const { runs, stalled } = happenedTo(title);
      expect(stalled).toEqual([]);
      for (const by of ['skewed', 'sane'] as const) {
        const holders = runs.filter(({ queue }) => queue === `held by ${by}`).map((run) => run.by);
        expect(holders).toEqual(Array(held).fill(by));
      }
    });

    it('has jobs run when they are due, shifted by as much as it is off where BullMQ looks at it', () => {
      const { runs, delayed } = happenedTo(title);
      expect(delayed).toHaveLength(4);
      for (const {
        queue,
        id,
        due: [earliest, latest],
      } of delayed) {
        const { at } = runs.find((run) => run.queue === queue && run.id === id)!;
        expect({
          queue,
          id,
          early: Math.max(0, earliest - early - at),
          late: Math.max(0, at - latest - late),
        }).toEqual({ queue, id, early: 0, late: 0 });
      }
    });
  });
});
