import { describe, expect, it } from '@jest/globals';
import { QUEUE_EVENT_NAMES } from 'nestjs-lane/contract';

import { waitUntil } from '../../support/wait-until';
import { majors, type Major, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import {
  expectSound,
  KINDS,
  Ledger,
  logOf,
  MANAGED_KINDS,
  type LedgerJob,
  type ManagedKind,
  type Told,
} from './support/ledger';

guardSharedQueues();

/** Who takes which part on a queue. */
interface Cast {
  readonly producers: readonly Party[];
  readonly workers: readonly Party[];
  readonly manager?: Party;
  readonly listener?: Party;
  readonly jobs: number;
}

/**
 * What BullMQ and we do to each other. Every row is a spec for each major. What a row means in detail is held by specs
 * of its own:
 *
 * - jobs, flows, deduplication, schedulers, dead-workers, legacy: jobs of one that the other runs
 * - load, limits, shared-limits, retention, pausing, clocks: both on one queue
 * - management, operations, moves, removing, by-hand, annotations: jobs of one that the other manages
 * - events, every-event, views: what one does and the other sees
 */
const matrix: Record<
  | 'they produce and we work'
  | 'we produce and they work'
  | 'both produce and work the same queue under load'
  | 'they manage our jobs'
  | 'we manage their jobs'
  | 'their listener hears our events'
  | 'our listener hears their events',
  (them: Major) => Cast
> = {
  'they produce and we work': (them) => ({ producers: [them], workers: ['ours'], jobs: 420 }),
  'we produce and they work': (them) => ({ producers: ['ours'], workers: [them], jobs: 420 }),
  'both produce and work the same queue under load': (them) => ({
    producers: ['ours', them],
    workers: ['ours', them, 'ours', them],
    jobs: 1_200,
  }),
  'they manage our jobs': (them) => ({ producers: ['ours'], workers: ['ours'], manager: them, jobs: 210 }),
  'we manage their jobs': (them) => ({ producers: [them], workers: [them], manager: 'ours', jobs: 210 }),
  'their listener hears our events': (them) => ({
    producers: ['ours'],
    workers: ['ours'],
    manager: 'ours',
    listener: them,
    jobs: 210,
  }),
  'our listener hears their events': (them) => ({
    producers: [them],
    workers: [them],
    manager: them,
    listener: 'ours',
    jobs: 210,
  }),
};

const rows = Object.keys(matrix) as (keyof typeof matrix)[];

type TheirQueue = ReturnType<CommonGround['theirQueue']>;

/** BullMQ types what both do. */
function queueOf(ground: CommonGround, party: Party): TheirQueue {
  return party === 'ours'
    ? (ground.ourQueue('work') as unknown as TheirQueue)
    : ground.theirQueue(party, 'work');
}

/** One by one and many together. */
async function add(queue: TheirQueue, jobs: readonly LedgerJob[]): Promise<void> {
  const half = Math.floor(jobs.length / 2);
  await Promise.all([
    ...jobs.slice(0, half).map(({ name, data, opts }) => queue.add(name, data, opts as object)),
    queue.addBulk(jobs.slice(half) as never),
  ]);
}

type TheirJob = NonNullable<Awaited<ReturnType<TheirQueue['getJob']>>>;

const managed: Record<ManagedKind, (job: TheirJob) => Promise<unknown>> = {
  promoted: (job) => job.promote(),
  hastened: (job) => job.changeDelay(5),
  preferred: async (job) => {
    await job.changePriority({ priority: 1 });
    await job.promote();
  },
  edited: async (job) => {
    await job.updateData({ ...(job.data as object), edited: true });
    await job.log('edited');
    await job.promote();
  },
  removed: (job) => job.remove(),
  'retried by hand': async (job) => {
    await waitUntil(() => job.isFailed(), { reason: 'it has failed', deadline: 10_000 });
    await job.retry('failed');
  },
};

async function manage(queue: TheirQueue, jobs: readonly LedgerJob[]): Promise<void> {
  await Promise.all(
    jobs.map(async ({ name, opts }) => {
      const act = managed[name as ManagedKind] as (typeof managed)[ManagedKind] | undefined;
      if (act !== undefined) await act((await queue.getJob(opts.jobId))!);
    }),
  );
}

/** Hears everything that a queue tells. */
async function listen(ground: CommonGround, party: Party): Promise<Told[]> {
  const heard: Told[] = [];
  const events = party === 'ours' ? ground.ourEvents('work') : ground.theirEvents(party, 'work');
  for (const event of QUEUE_EVENT_NAMES) {
    (events as NodeJS.EventEmitter).on(event, (fields: { jobId?: string } | string) => {
      const jobId = typeof fields === 'object' ? fields.jobId : undefined;
      heard.push({ event, jobId: jobId ?? '' });
    });
  }
  await events.waitUntilReady();
  return heard;
}

describe.each(majors)('with BullMQ %i', (them) => {
  it.each(rows)('%s', async (row) => {
    const cast = matrix[row](them);
    await onCommonGround(async (ground) => {
      const ledger = new Ledger();
      const kinds = [
        ...(Object.keys(KINDS) as (keyof typeof KINDS)[]),
        ...(cast.manager === undefined ? [] : (Object.keys(MANAGED_KINDS) as ManagedKind[])),
      ];
      const heard = cast.listener === undefined ? [] : await listen(ground, cast.listener);
      const share = Math.ceil(cast.jobs / cast.producers.length / 2);

      // Half of the jobs are there before the workers are, half come while they work.
      const produce = (): Promise<unknown> =>
        Promise.all(
          cast.producers.map((party) => add(queueOf(ground, party), ledger.enter(party, share, kinds))),
        );
      await produce();
      const before = ledger.jobs.length;
      cast.workers.forEach((party) => {
        ground.work(party, 'work', ledger.handler(party), { concurrency: 10, drainDelay: 1 });
      });
      const manager = cast.manager === undefined ? undefined : queueOf(ground, cast.manager);
      await Promise.all([produce(), manager && manage(manager, ledger.jobs.slice(0, before))]);
      if (manager !== undefined) await manage(manager, ledger.jobs.slice(before));
      await ground.untilQuiet('work');
      await ground.stopWorkers();

      expect(ground.errors).toEqual([]);
      expect(ledger.workers).toEqual(new Set(cast.workers));
      await expectSound(ledger, ground, 'work', [queueOf(ground, 'ours'), queueOf(ground, them)]);
      const log = cast.listener === undefined ? [] : await logOf(ground, 'work');
      const told = log.map(({ event, jobId }): Told => ({ event, jobId }));
      await waitUntil(() => heard.length >= log.length, { reason: 'all events were heard' });
      expect(heard).toEqual(told);
    });
  });
});
