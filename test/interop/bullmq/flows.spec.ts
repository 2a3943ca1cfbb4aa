import { describe, expect, it } from '@jest/globals';
import type { FlowJob, Queue } from 'bullmq-6';

import { waitUntil } from '../../support/wait-until';
import { majors, nameOf, type Party } from './support/bullmq';
import type { CommonGround, Handler } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins, placeOf } from './support/twins';

guardSharedQueues();

/** Who works which queue of a flow. */
interface Cast {
  parents: Party;
  children: Party;
}

/** Does what the payload says. */
const work: Handler = (job) => {
  const { fails, gives } = job.data as { fails?: string; gives?: unknown };
  if (fails !== undefined) {
    throw new Error(fails);
  }
  return gives ?? null;
};

function child(id: string, data: object = {}, opts: FlowJob['opts'] = {}): FlowJob {
  return { name: 'child', queueName: 'children', data, opts: { jobId: id, ...opts } };
}

async function promote(queue: Queue, id: string): Promise<void> {
  await (await queue.getJob(id))!.promote();
}

function parent(children: FlowJob[], opts: FlowJob['opts'] = {}, queueName = 'parents'): FlowJob {
  return { name: 'parent', queueName, data: { gives: 'done' }, opts: { jobId: 'P', ...opts }, children };
}

const policies = [
  'failParentOnFailure',
  'continueParentOnFailure',
  'ignoreDependencyOnFailure',
  'removeDependencyOnFailure',
] as const;

describe.each(majors)('a flow that BullMQ %i adds', (major) => {
  const casts: [string, Cast][] = [
    ['we run', { parents: 'ours', children: 'ours' }],
    [`whose children we run and whose parent ${nameOf(major)} runs`, { parents: major, children: 'ours' }],
    [`whose parent we run and whose children ${nameOf(major)} runs`, { parents: 'ours', children: major }],
  ];

  describe.each(casts)('%s', (_, mixed) => {
    /** Adds flows, then lets the children's queue be worked, then the parents' as well. */
    function twins(
      flows: FlowJob[],
      { before, after }: { before?: (ground: CommonGround) => unknown; after?: typeof before } = {},
    ): ReturnType<typeof expectTwins> {
      return expectTwins<Cast>(
        { theirs: { parents: major, children: major }, mixed },
        async (ground, cast) => {
          await before?.(ground);
          const producer = ground.flows(major);
          for (const flow of flows) {
            await producer.add(flow);
          }
          ground.work(cast.children, 'children', work, { name: 'w' });
          await ground.untilQuiet('children');
          ground.work(cast.parents, 'parents', work, { name: 'w' });
          await ground.untilQuiet('children', 'parents');
          await after?.(ground);
        },
        { mayReport: /pending dependencies/ },
      );
    }

    it('releases the parent after the last child, with the values of all', async () => {
      const left = await twins([
        parent([child('A', { gives: { a: [1, 2] } }), child('B', { gives: 'b' }), child('C')]),
      ]);
      expect(placeOf(left, 'parents', 'P')).toBe('completed');
      expect(left['q:parents:P:processed']).toMatchObject({
        content: { 'q:children:A': { a: [1, 2] }, 'q:children:B': 'b', 'q:children:C': null },
      });
    });

    it.each(policies)('with %s: one of three children fails', async (policy) => {
      const left = await twins([
        parent([
          child('A', { gives: 1 }),
          child('B', { fails: 'broken' }, { [policy]: true }),
          child('C', { gives: 3 }),
        ]),
      ]);
      expect(placeOf(left, 'parents', 'P')).toBe(policy === 'failParentOnFailure' ? 'failed' : 'completed');
    });

    it.each(policies)('with %s: the child fails while a sibling is still held back', async (policy) => {
      const left = await twins([
        parent([
          child('A', { fails: 'broken' }, { [policy]: true }),
          child('B', { gives: 2 }, { delay: 250 }),
        ]),
      ]);
      expect(placeOf(left, 'children', 'A')).toBe('failed');
      expect(placeOf(left, 'parents', 'P')).toBe(policy === 'failParentOnFailure' ? 'failed' : 'completed');
    });

    it.each(policies)('with %s: the child uses up its attempts first', async (policy) => {
      const left = await twins([
        parent([
          child(
            'A',
            { fails: 'broken' },
            { [policy]: true, attempts: 3, backoff: { type: 'fixed', delay: 20 } },
          ),
        ]),
      ]);
      expect(left['q:children:A']).toMatchObject({ content: { atm: '3' } });
    });

    it.each(policies)('with %s: the failed child is not kept', async (policy) => {
      const left = await twins([
        parent([
          child('A', { fails: 'broken' }, { [policy]: true, removeOnFail: true }),
          child('B', { gives: 1 }),
        ]),
      ]);
      expect(left['q:children:A']).toBeUndefined();
    });

    it('without a policy: the parent goes on waiting', async () => {
      const left = await twins([parent([child('A', { fails: 'broken' }), child('B')])]);
      expect(placeOf(left, 'parents', 'P')).toBe('waiting-children');
      expect(left['q:parents:P:dependencies']).toMatchObject({ content: ['q:children:A'] });
    });

    it('without a policy: a failed child that is not kept holds nobody up', async () => {
      const left = await twins([parent([child('A', { fails: 'broken' }, { removeOnFail: true })])]);
      expect(placeOf(left, 'parents', 'P')).toBe('completed');
    });

    it('gives values of children that are not kept', async () => {
      const left = await twins([parent([child('A', { gives: 'a' }, { removeOnComplete: true })])]);
      expect(left['q:parents:P:processed']).toMatchObject({ content: { 'q:children:A': 'a' } });
      expect(left['q:children:A']).toBeUndefined();
    });

    it('keeps to the number of children that are kept', async () => {
      const left = await twins([
        parent(['A', 'B', 'C', 'D'].map((id) => child(id, { gives: id }, { removeOnComplete: 2 }))),
      ]);
      expect(left['q:children:completed']).toMatchObject({ content: ['C', 'D'] });
    });

    it('removes the parent, and what it knew of its children, when it is not kept', async () => {
      const left = await twins([parent([child('A', { gives: 'a' })], { removeOnComplete: true })]);
      expect(Object.keys(left).filter((key) => key.startsWith('q:parents:P'))).toEqual([]);
    });

    it('holds a parent with a delay back once its children are done', async () => {
      const left = await twins([parent([child('A')], { delay: 150 })]);
      expect(left['q:parents:events']).toMatchObject({
        content: { P: expect.arrayContaining([expect.stringContaining('event=delayed')]) },
      });
    });

    it('gives a parent with a priority its place', async () => {
      await twins(
        ['low', 'high', 'none'].map((id, index) =>
          parent([child(`child-of-${id}`)], { jobId: id, priority: [5, 1, 0][index]! }),
        ),
      );
    });

    it('passes a failure on to the grandparent', async () => {
      const left = await twins([
        {
          ...parent([]),
          children: [
            {
              ...child('middle', {}, { failParentOnFailure: true }),
              children: [child('A', { fails: 'broken' }, { failParentOnFailure: true }), child('B')],
            },
          ],
        },
      ]);
      expect(placeOf(left, 'children', 'middle')).toBe('failed');
      expect(placeOf(left, 'parents', 'P')).toBe('failed');
    });

    it.each(policies)('with %s at every level of a tree in one queue', async (policy) => {
      const opts = { [policy]: true };
      await twins([
        parent(
          [
            {
              ...child('left', { gives: 'left' }, opts),
              children: [child('left-1', { fails: 'broken' }, opts), child('left-2', { gives: 2 }, opts)],
            },
            {
              ...child('right', { fails: 'worse' }, opts),
              children: [child('right-1', { gives: 1 }, opts)],
            },
          ],
          { jobId: 'root' },
          'children',
        ),
      ]);
    });

    it('counts children that are there and done already', async () => {
      const left = await twins([parent([child('A', { gives: 1 })])], {
        async after(ground) {
          await ground.flows(major).add(parent([child('A'), child('B', { gives: 2 })], { jobId: 'Q' }));
          await ground.untilQuiet('children', 'parents');
        },
      });
      // A belongs to P, which is still there, so Q is not given it.
      expect(placeOf(left, 'parents', 'P')).toBe('completed');
    });

    it('releases the parent when a failed child is retried by hand', async () => {
      const left = await twins([parent([child('A', { fails: 'once' })])], {
        async after(ground) {
          const queue = ground.theirQueue(major, 'children');
          const job = (await queue.getJob('A'))!;
          await job.updateData({ gives: 'at last' });
          await job.retry();
          await ground.untilQuiet('children', 'parents');
        },
      });
      expect(placeOf(left, 'parents', 'P')).toBe('completed');
    });
  });

  /** Jobs that add children to themselves while they run. */
  describe.each([
    ['run by us, with children of theirs', { parents: 'ours', children: major }],
    [`run by ${nameOf(major)}, with children that we run`, { parents: major, children: 'ours' }],
    ['that we run throughout', { parents: 'ours', children: 'ours' }],
  ] as [string, Cast][])('a running parent %s', (_, mixed) => {
    const twins = (
      opts: FlowJob['opts'],
      fails: string | undefined,
      duringChild: (ground: CommonGround) => Promise<unknown>,
      parentOpts: FlowJob['opts'] = {},
      afterwards?: (ground: CommonGround) => Promise<unknown>,
    ): ReturnType<typeof expectTwins> =>
      expectTwins<Cast>(
        { theirs: { parents: major, children: major }, mixed },
        async (ground, cast) => {
          const parents = ground.theirQueue(major, 'parents');
          const children = ground.theirQueue(major, 'children');
          await parents.add('parent', {}, { jobId: 'P', ...parentOpts });
          let runs = 0;
          ground.work(
            cast.parents,
            'parents',
            async () => {
              runs += 1;
              if (runs === 1) {
                const parent = { id: 'P', queue: ground.key('parents') };
                await children.add('child', { fails }, { ...opts, jobId: 'A', parent });
                await duringChild(ground);
              }
              return runs;
            },
            { name: 'w' },
          );
          await waitUntil(() => runs > 0, { reason: 'the parent ran' });
          ground.work(cast.children, 'children', work, { name: 'w' });
          await afterwards?.(ground);
          await ground.untilQuiet('children', 'parents');
        },
        { mayReport: /pending dependencies|failed child/ },
      );

    const untilIn = (queue: string, set: string) => (ground: CommonGround) =>
      waitUntil(() => ground.redis.zcard(ground.key(queue, set)), {
        reason: `one of the ${queue} is ${set}`,
      });

    const untilFinished = (set: string): ReturnType<typeof untilIn> => untilIn('children', set);

    const heldBack = { delay: 60_000 };

    it('completes when its child has', async () => {
      const left = await twins({}, undefined, untilFinished('completed'));
      expect(placeOf(left, 'parents', 'P')).toBe('completed');
    });

    it('may not complete before its child has', async () => {
      const left = await twins(
        heldBack,
        undefined,
        () => Promise.resolve(),
        {},
        async (ground) => {
          await untilIn('parents', 'failed')(ground);
          await promote(ground.theirQueue(major, 'children'), 'A');
        },
      );
      expect(placeOf(left, 'parents', 'P')).toBe('failed');
      expect(left['q:parents:P:processed']).toBeDefined();
    });

    it('is tried again when it would have completed before its child', async () => {
      const left = await twins(
        heldBack,
        undefined,
        () => Promise.resolve(),
        { attempts: 2, backoff: { type: 'fixed', delay: 60_000 } },
        async (ground) => {
          await untilIn('parents', 'delayed')(ground);
          await promote(ground.theirQueue(major, 'children'), 'A');
          await untilFinished('completed')(ground);
          await promote(ground.theirQueue(major, 'parents'), 'P');
        },
      );
      expect(placeOf(left, 'parents', 'P')).toBe('completed');
    });

    it.each(policies)('whose child fails, with %s', async (policy) => {
      const left = await twins({ [policy]: true }, 'broken', untilFinished('failed'));
      expect(placeOf(left, 'parents', 'P')).toBe(policy === 'failParentOnFailure' ? 'failed' : 'completed');
    });

    it('whose child fails, without a policy', async () => {
      await twins({}, 'broken', untilFinished('failed'));
    });
  });

  describe.each([
    ['that we run', 'ours'],
    [`that ${nameOf(major)} runs`, major],
  ] as [string, Party][])('a parent %s', (_, parents) => {
    const cast: Cast = { parents, children: parents === 'ours' ? major : 'ours' };
    const theirs: Cast = { parents: major, children: major };

    it('can be added again with its children when it was not kept', async () => {
      const left = await expectTwins<Cast>({ theirs, mixed: cast }, async (ground, { parents, children }) => {
        const flow = (): FlowJob =>
          parent([child('A', { gives: 1 }), child('B', { gives: 2 })], { removeOnComplete: true });
        const producer = ground.flows(major);
        ground.work(parents, 'parents', work, { name: 'w' });
        ground.work(children, 'children', work, { name: 'w' });
        await producer.add(flow());
        await waitUntil(async () => !(await ground.redis.exists(ground.key('parents', 'P'))), {
          reason: 'it is done',
        });
        await producer.add(flow());
        await ground.untilQuiet('children', 'parents');
      });
      expect(Object.keys(left).filter((key) => key.startsWith('q:parents:P'))).toEqual([]);
    });

    it.each([
      ['delayed', { delay: 60_000 }],
      ['prioritized', { priority: 5 }],
      ['waiting', {}],
    ])('that is %s is failed by a child', async (state, opts) => {
      const left = await expectTwins<Cast>({ theirs, mixed: cast }, async (ground, { parents, children }) => {
        // One child lets it go, the other one fails it before it runs.
        await ground
          .flows(major)
          .add(
            parent(
              [
                child('A', { fails: 'broken' }, { continueParentOnFailure: true }),
                child('B', { fails: 'worse' }, { failParentOnFailure: true, delay: 60_000 }),
              ],
              opts,
            ),
          );
        ground.work(children, 'children', work, { name: 'w' });
        const queue = ground.theirQueue(major, 'parents');
        await waitUntil(async () => (await queue.getJobState('P')) === state, {
          reason: `the parent is ${state}`,
        });
        await promote(ground.theirQueue(major, 'children'), 'B');
        await ground.untilQuiet('children');
        ground.work(parents, 'parents', work, { name: 'w' });
        await ground.untilQuiet('parents');
      });
      expect(placeOf(left, 'parents', 'P')).toBe('failed');
      expect(left['q:parents:P']).toMatchObject({ content: { failedReason: 'child q:children:B failed' } });
    });
  });
});
