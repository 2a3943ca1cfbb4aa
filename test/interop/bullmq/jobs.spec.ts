import { describe, expect, it } from '@jest/globals';
import { UnrecoverableError } from 'nestjs-lane/engine';

import { majors, nameOf, type Major, type Party } from './support/bullmq';
import {
  onCommonGround,
  type CommonWorkerOptions,
  type Handler,
  type ProducedJob,
} from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { expectTwins, placeOf } from './support/twins';

guardSharedQueues();

interface Cast {
  producer: Party;
  worker: Party;
}

const casts = (major: Major): [string, Cast][] => [
  [`of ${nameOf(major)} that we run`, { producer: major, worker: 'ours' }],
  [`of ours that ${nameOf(major)} runs`, { producer: 'ours', worker: major }],
  [`of ours that we run beside ${nameOf(major)}`, { producer: 'ours', worker: 'ours' }],
];

const cases = majors.flatMap((major) => casts(major).map(([title, mixed]) => ({ title, major, mixed })));

describe.each(cases)('jobs $title', ({ major, mixed }) => {
  /** Adds jobs, then starts a worker, and waits until nothing is left to run. */
  function twins(
    jobs: ProducedJob[],
    handler: (ran: number) => Handler = () => () => undefined,
    options: CommonWorkerOptions = {},
  ): ReturnType<typeof expectTwins> {
    const theirs = { producer: major, worker: major };
    return expectTwins<Cast>({ theirs, mixed }, async (ground, { producer, worker }) => {
      const queue = ground.producer(producer, 'work');
      for (const [name, data, opts] of jobs) {
        await queue.add(name, data, opts);
      }
      let ran = 0;
      ground.work(worker, 'work', (job, token) => handler((ran += 1))(job, token), { name: 'w', ...options });
      await ground.untilQuiet('work');
    });
  }

  it('leave the same behind', async () => {
    const left = await twins(
      [
        ['plain', { n: 1 }],
        ['with/slash "quotes"', { text: 'é 🚀 a/b \\ "', list: [], nothing: null, big: 1e21 }],
        ['without data', undefined],
      ],
      () => (job) => ({ echo: job.data }),
    );
    expect(left['q:work:completed']).toMatchObject({ content: ['1', '2', '3'] });
  });

  it.each([[undefined], [null], [0], [false], [''], ['text'], [[]], [{ a: [{}] }]])(
    'give back %j',
    async (value) => {
      await twins([['returns', {}]], () => () => value);
    },
  );

  it('are tried again at once', async () => {
    const left = await twins(
      [
        ['flaky', {}, { attempts: 3 }],
        ['other', {}],
      ],
      (ran) => (job) => {
        if (job.name === 'flaky' && job.attemptsMade < 2) {
          throw new Error(`broken ${job.attemptsMade}`);
        }
        return { ran, made: job.attemptsMade, started: job.attemptsStarted };
      },
    );
    expect(left['q:work:1']).toMatchObject({
      content: { returnvalue: { made: 2, started: 3 }, atm: '3', ats: '3' },
    });
  });

  it.each([
    ['fixed', { type: 'fixed', delay: 15 }],
    ['exponential', { type: 'exponential', delay: 10 }],
  ] as const)('are tried again with %s backoff', async (_, backoff) => {
    const left = await twins([['flaky', {}, { attempts: 3, backoff }]], () => (job) => {
      if (job.attemptsMade < 2) {
        throw new Error(`broken ${job.attemptsMade}`);
      }
    });
    expect(left['q:work:1']).toMatchObject({ content: { atm: '3', failedReason: 'broken 1', delay: '0' } });
  });

  it('are tried again in front of the others when they are last in, first out', async () => {
    await twins(
      [
        ['other', {}],
        ['flaky', {}, { attempts: 2, lifo: true }],
      ],
      (ran) => (job) => {
        if (job.name === 'flaky' && job.attemptsMade === 0) {
          throw new Error('broken');
        }
        return ran;
      },
    );
  });

  it('fail for good when their attempts are used up', async () => {
    const left = await twins([['broken', {}, { attempts: 2 }]], () => (job) => {
      throw new Error(`broken ${job.attemptsMade}`);
    });
    expect(placeOf(left, 'work', '1')).toBe('failed');
    expect(left['q:work:1']).toMatchObject({
      content: { failedReason: 'broken 1', stacktrace: ['Error: broken 0', 'Error: broken 1'] },
    });
  });

  it.each([0, 2])('keep the newest %i stacks when they say so', async (stackTraceLimit) => {
    const broken = (job: { attemptsMade: number }): never => {
      throw new Error(`broken ${job.attemptsMade}`);
    };
    const left = await expectTwins<Party>({ theirs: major, mixed: 'ours' }, async (ground, party) => {
      await ground.theirQueue(major, 'work').add('broken', {}, { attempts: 3, stackTraceLimit });
      ground.work(party, 'work', broken);
      await ground.untilQuiet('work');
    });
    expect(left['q:work:1']).toMatchObject({
      content: { stacktrace: stackTraceLimit === 0 ? [] : ['Error: broken 1', 'Error: broken 2'] },
    });
  });

  it('fail for good when there is no use in trying again', async () => {
    const left = await twins([['broken', {}, { attempts: 5 }]], () => () => {
      throw new UnrecoverableError('no use');
    });
    expect(left['q:work:1']).toMatchObject({ content: { failedReason: 'no use', atm: '1' } });
  });

  it('wait for their time', async () => {
    const left = await twins(
      [
        ['second', {}, { delay: 400 }],
        ['first', {}, { delay: 20 }],
        ['at once', {}],
      ],
      (ran) => () => ran,
    );
    expect(left['q:work:1']).toMatchObject({ content: { returnvalue: 3, delay: '0' } });
  });

  it('run by priority, and those without one first', async () => {
    const left = await twins(
      [
        ['low', {}, { priority: 10 }],
        ['high', {}, { priority: 1 }],
        ['lowest', {}, { priority: 2_097_151 }],
        ['high', {}, { priority: 1 }],
        ['none', {}],
      ],
      (ran) => () => ran,
    );
    expect(
      ['1', '2', '3', '4', '5'].map((id) => (left[`q:work:${id}`] as { content: object }).content),
    ).toMatchObject([4, 2, 5, 3, 1].map((returnvalue) => ({ returnvalue })));
  });

  it('have their priority still when their time has come', async () => {
    const left = await twins([['later', {}, { priority: 5, delay: 30 }]]);
    expect(left['q:work:1']).toMatchObject({ content: { priority: '5', delay: '0' } });
  });

  it('run last in, first out', async () => {
    await twins(
      [
        ['first', {}],
        ['second', {}, { lifo: true }],
        ['third', {}, { lifo: true }],
      ],
      (ran) => () => ran,
    );
  });

  it('keep their ids', async () => {
    const left = await twins([
      ['send', { n: 1 }, { jobId: 'mine' }],
      ['send', { n: 2 }, { jobId: 'a:b:c' }],
      ['send', { n: 3 }],
    ]);
    expect(left['q:work:id']).toMatchObject({ content: '3' });
  });

  it('are not added twice', async () => {
    await onCommonGround(async (ground) => {
      const [ours, theirs] = [ground.producer('ours', 'work'), ground.producer(major, 'work')];
      const [first, second] = mixed.producer === 'ours' ? [ours, theirs] : [theirs, ours];
      await first.add('send', { n: 1 }, { jobId: 'mine' });
      expect(await second.add('send', { n: 2 }, { jobId: 'mine' })).toMatchObject({ id: 'mine' });
      const ran: unknown[] = [];
      ground.work(mixed.worker, 'work', (job) => void ran.push(job.data));
      await ground.untilQuiet('work');
      expect(ran).toEqual([{ n: 1 }]);
      expect(await first.add('send', { n: 3 }, { jobId: 'mine' })).toMatchObject({ id: 'mine' });
      await ground.untilQuiet('work');
      expect(ran).toHaveLength(1);
    });
  });

  const kept: [ProducedJob[2], string[]][] = [
    [{ removeOnComplete: true, removeOnFail: true }, []],
    [{ removeOnComplete: false, removeOnFail: false }, ['1', '2', '3', '4']],
    [{ removeOnComplete: 0, removeOnFail: 0 }, []],
    [{ removeOnComplete: 2, removeOnFail: 2 }, ['3', '4']],
    [{ removeOnComplete: { count: 1 }, removeOnFail: { count: 1 } }, ['4']],
    [{ removeOnComplete: { age: 3600 }, removeOnFail: { age: 3600 } }, ['1', '2', '3', '4']],
    [{ removeOnComplete: { age: 3600, count: 3 }, removeOnFail: { age: 3600, count: 3 } }, ['2', '3', '4']],
  ];

  it.each(kept)('are kept as %j says when they complete', async (opts, ids) => {
    const left = await twins(Array.from({ length: 4 }, () => ['done', {}, opts]));
    expect((left['q:work:completed'] as { content: string[] } | undefined)?.content ?? []).toEqual(ids);
  });

  it.each(kept)('are kept as %j says when they fail', async (opts, ids) => {
    const left = await twins(
      Array.from({ length: 4 }, () => ['broken', {}, opts]),
      () => () => {
        throw new Error('broken');
      },
    );
    expect((left['q:work:failed'] as { content: string[] } | undefined)?.content ?? []).toEqual(ids);
  });

  it('are kept as the worker says, unless they say so themselves', async () => {
    await twins(
      [
        ['done', {}],
        ['done', {}],
        ['done', {}, { removeOnComplete: false }],
      ],
      undefined,
      { removeOnComplete: { count: 1 } },
    );
  });

  it('report progress', async () => {
    const left = await twins([['slow', {}]], () => async (job) => {
      await job.updateProgress(50);
      await job.updateProgress({ part: [1, null], of: 'é' });
    });
    expect(left['q:work:1']).toMatchObject({ content: { progress: { part: [1, null], of: 'é' } } });
  });
});
