import { describe, expect, it } from '@jest/globals';
import type { FlowJob } from 'bullmq-6';

import { SeededRandom } from '../../support/seeded-random.mjs';
import { waitUntil } from '../../support/wait-until';
import { majors, type Major, type Party } from './support/bullmq';
import { onCommonGround, type CommonGround, type ProducedJob } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

const jobs = 2000;

/** A job of some kind: plain ones, those with a priority or a delay, and those that fail once. */
function produce(random: SeededRandom, jobId: string): ProducedJob {
  const opts = random.pick([
    {},
    {},
    {},
    { priority: random.integer(1, 5) },
    { delay: random.integer(1, 50) },
    { lifo: true },
    { attempts: 2 },
    { attempts: 2, backoff: { type: 'fixed', delay: random.integer(1, 20) } } as const,
  ]);
  return [`job-${jobId}`, { jobId, fails: 'attempts' in opts }, { jobId, ...opts }];
}

async function addAll(ground: CommonGround, party: Party, added: ProducedJob[]): Promise<void> {
  const bulk = added.map(([name, data, opts]) => ({ name, data, opts }));
  if (party === 'ours') {
    await ground.ourQueue('work').addBulk(bulk);
  } else {
    await ground.theirQueue(party, 'work').addBulk(bulk as never);
  }
}

const companies: [string, Major[]][] = [
  ['BullMQ 5', [5]],
  ['BullMQ 6', [6]],
  ['both majors of BullMQ', majors],
];

describe.each(companies)('a queue that %s and we work at full load', (_, theirs) => {
  it('runs each job once, whoever added it, and ends up empty', async () => {
    await onCommonGround(async (ground) => {
      const random = new SeededRandom();
      const runs = new Map<string, Party[]>();
      const work = (party: Party): void => {
        ground.work(
          party,
          'work',
          async (job) => {
            runs.set(job.id!, [...(runs.get(job.id!) ?? []), party]);
            await Promise.resolve();
            if ((job.data as { fails: boolean }).fails && job.attemptsMade === 0) {
              throw new Error('once');
            }
            return party;
          },
          { concurrency: 20 },
        );
      };
      // Half of the jobs are there before the workers are, half come while they work.
      const parties: Party[] = ['ours', ...theirs];
      const rounds = [0, 1].map((round) =>
        parties.map((party) => ({
          party,
          added: Array.from({ length: Math.ceil(jobs / 2 / parties.length) }, (_, index) =>
            produce(random, `${party}-${round}-${index}`),
          ),
        })),
      );
      await Promise.all(rounds[0]!.map(({ party, added }) => addAll(ground, party, added)));
      parties.forEach(work);
      await Promise.all(rounds[1]!.map(({ party, added }) => addAll(ground, party, added)));
      await waitUntil(
        async () =>
          (await ground.redis.zcard(ground.key('work', 'completed'))) ===
          rounds.flat().flatMap(({ added }) => added).length,
        {
          reason: `all jobs were done (${random.toString()})`,
          deadline: 30_000,
        },
      );
      await ground.stopWorkers();

      const all = rounds.flat().flatMap(({ added }) => added);
      const expected = all.map(([, data]) => [
        (data as { jobId: string }).jobId,
        (data as { fails: boolean }).fails ? 2 : 1,
      ]);
      const ran = [...runs].map(([id, by]) => [id, by.length]);
      expect(ran.sort()).toEqual(expected.sort());
      const by = [...runs.values()].flat();
      expect(new Set(by)).toEqual(new Set(parties));

      expect(ground.errors).toEqual([]);
      expect(await ground.theirQueue(theirs[0]!, 'work').getJobCounts()).toMatchObject({
        ...{ completed: all.length, failed: 0, waiting: 0, active: 0, delayed: 0, prioritized: 0 },
      });
      const left = (await ground.keys()).map((key) => key.slice(ground.prefix.length + 1));
      expect(
        left.filter((key) => /:(?:lock|wait|active|delayed|prioritized|paused|pc|stalled)$/.test(key)),
      ).toEqual([]);
      const finished = await ground.redis.zrange(ground.key('work', 'completed'), '0', '-1');
      expect(new Set(finished)).toEqual(new Set(expected.map(([id]) => id)));
    });
  });

  it('runs flows to their end, with every child told to its parent', async () => {
    await onCommonGround(async (ground) => {
      const flows = 60;
      const runs = new Map<string, number>();
      const parties: Party[] = ['ours', ...theirs];
      const producer = ground.flows(theirs[0]!);
      const node = (queueName: string, jobId: string, children: FlowJob[] = []): FlowJob => ({
        name: 'node',
        queueName,
        data: {},
        opts: { jobId },
        children,
      });
      for (const queue of ['work', 'parents']) {
        for (const party of parties) {
          ground.work(
            party,
            queue,
            (job) => {
              runs.set(job.id!, (runs.get(job.id!) ?? 0) + 1);
              return { by: party };
            },
            { concurrency: 10 },
          );
        }
      }
      // Half of the roots live in the queue of their children.
      await Promise.all(
        Array.from({ length: flows }, (_unused, n) =>
          producer.add(
            node(n % 2 === 0 ? 'work' : 'parents', `root-${n}`, [
              node(
                'work',
                `left-${n}`,
                [1, 2, 3].map((child) => node('work', `child-${n}-${child}`)),
              ),
              node('parents', `right-${n}`, [node('work', `only-${n}`)]),
            ]),
          ),
        ),
      );
      await waitUntil(() => runs.size === flows * 7, { reason: 'every node ran', deadline: 20_000 });
      await ground.untilQuiet('work', 'parents');
      await ground.stopWorkers();
      expect(ground.errors).toEqual([]);
      expect([...runs].filter(([, times]) => times !== 1)).toEqual([]);
      const told = await Promise.all(
        Array.from({ length: flows }, (_unused, n) =>
          Promise.all([
            ground.redis.hlen(ground.key(n % 2 === 0 ? 'work' : 'parents', `root-${n}`, 'processed')),
            ground.redis.hlen(ground.key('work', `left-${n}`, 'processed')),
            ground.redis.hlen(ground.key('parents', `right-${n}`, 'processed')),
          ]),
        ),
      );
      expect(told).toEqual(Array.from({ length: flows }, () => [2, 3, 1]));
      const left = (await ground.keys()).filter((key) =>
        /:(?:lock|dependencies|unsuccessful|waiting-children)$/.test(key),
      );
      expect(left).toEqual([]);
    });
  });
});
