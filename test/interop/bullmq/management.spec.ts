import { describe, expect, it } from '@jest/globals';
import type { Job as TheirJob, Queue as TheirQueue } from 'bullmq-6';
import type { Job, Queue } from 'nestjs-lane/engine';

import { Gate } from '../../support/gate';
import { waitUntil } from '../../support/wait-until';
import { majors, nameOf, type Party } from './support/bullmq';
import { onCommonGround, type Handler } from './support/common-ground';
import { guardSharedQueues } from './support/guard';
import { ManagementStage as Stage } from './support/management-stage';

guardSharedQueues();

/** The methods that two classes have in common. What is `any` is none. */
type Shared<A, B> = {
  [K in keyof A & keyof B & string]: 0 extends 1 & A[K]
    ? never
    : A[K] extends (...args: never[]) => unknown
      ? K
      : never;
}[keyof A & keyof B & string];

/** What changes nothing, is a matter of adding and listening, or of this process alone. */
type Unmanaging =
  | `get${string}`
  | `is${string}`
  | ('count' | 'exportPrometheusMetrics' | 'toJSON' | 'toKey' | 'waitUntilFinished')
  | ('add' | 'addBulk' | 'waitUntilReady' | 'close')
  | keyof NodeJS.EventEmitter;

/** Every call that manages a queue or a job, and that both parties have. One without an operation does not compile. */
type Call =
  | `queue.${Exclude<Shared<Queue, TheirQueue>, Unmanaging>}`
  | `job.${Exclude<Shared<Job, TheirJob>, Unmanaging>}`;

const hour = 3_600_000;

const failing: Handler = (job) => {
  if (job.attemptsMade === 0) throw new Error('the first time');
  return 'done';
};

/** What every call has to do. */
function operationsOn(stage: Stage): Record<Call, () => Promise<void>> {
  return {
    'queue.pause': async () => {
      await stage.manager.pause();
      await stage.add(['a']);
      stage.work();
      expect([await stage.owner.isPaused(), await stage.manager.isPaused()]).toEqual([true, true]);
      await stage.manager.resume();
      await stage.runs(1);
    },

    'queue.resume': async () => {
      await stage.add(['before']);
      await stage.owner.pause();
      await stage.add(['while'], ['important', { priority: 1 }]);
      stage.work();
      await stage.manager.resume();
      await stage.runs(3);
      expect(stage.ran).toEqual(['before', 'while', 'important']);
    },

    'queue.setGlobalConcurrency': async () => {
      await stage.manager.setGlobalConcurrency(2);
      const gate = new Gate();
      await stage.add(['a'], ['b'], ['c']);
      stage.work((job) => gate.enter(job as never), 5);
      await stage.runs(2);
      expect([await stage.owner.getGlobalConcurrency(), await stage.owner.isMaxed()]).toEqual([2, true]);
      gate.letOneOut();
      await stage.runs(3);
      expect(gate.running).toBe(2);
      gate.open();
      await stage.ground.untilIdle('work');
    },

    'queue.removeGlobalConcurrency': async () => {
      await stage.owner.setGlobalConcurrency(1);
      await stage.manager.removeGlobalConcurrency();
      const gate = new Gate();
      await stage.add(['a'], ['b'], ['c']);
      stage.work((job) => gate.enter(job as never), 5);
      await waitUntil(() => gate.running === 3, { reason: 'all run at once' });
      expect(await stage.owner.getGlobalConcurrency()).toBeNull();
      gate.open();
      await stage.ground.untilIdle('work');
    },

    'queue.setGlobalRateLimit': async () => {
      await stage.manager.setGlobalRateLimit(2, hour);
      await stage.add(['a'], ['b'], ['c']);
      stage.work();
      await waitUntil(async () => (await stage.owner.getRateLimitTtl(2)) > 0, { reason: 'the rate is met' });
      await stage.runs(2);
      expect(await stage.owner.getJobCounts('waiting')).toMatchObject({ waiting: 1 });
    },

    'queue.removeGlobalRateLimit': async () => {
      await stage.owner.setGlobalRateLimit(1, hour);
      await stage.manager.removeGlobalRateLimit();
      await stage.add(['a'], ['b'], ['c']);
      await stage.runAll();
      expect(await stage.owner.getGlobalRateLimit()).toBeNull();
      expect(stage.ran).toHaveLength(3);
    },

    'queue.rateLimit': async () => {
      await stage.owner.setGlobalRateLimit(100, 1_000);
      await stage.manager.rateLimit(300);
      const from = Date.now();
      await stage.add(['a']);
      stage.work();
      await stage.runs(1);
      expect(Date.now() - from).toBeGreaterThanOrEqual(250);
    },

    'queue.removeRateLimitKey': async () => {
      await stage.owner.setGlobalRateLimit(100, 1_000);
      await stage.owner.rateLimit(hour);
      await stage.manager.removeRateLimitKey();
      await stage.add(['a']);
      await stage.runAll();
      expect(stage.ran).toEqual(['a']);
    },

    'queue.remove': async () => {
      await stage.add(['a'], ['b', { priority: 1 }], ['c', { delay: hour }], ['d']);
      for (const id of ['a', 'b', 'c']) expect(await stage.manager.remove(id)).toBe(1);
      await stage.runAll();
      expect(stage.ran).toEqual(['d']);
      expect(await stage.state('c')).toBe('unknown');
    },

    'queue.clean': async () => {
      await stage.add(['done'], ['broken']);
      await stage.runAll((job) => {
        if (job.id === 'broken') throw new Error('broken');
      });
      await stage.add(['late', { delay: hour }], ['waits']);
      const now = Date.now();
      await waitUntil(() => Date.now() > now, { reason: 'all are of the past' });
      expect(await stage.manager.clean(0, 10, 'completed')).toEqual(['done']);
      expect(await stage.manager.clean(0, 10, 'failed')).toEqual(['broken']);
      expect(await stage.manager.clean(0, 10, 'delayed')).toEqual(['late']);
      expect(await stage.manager.clean(hour, 10, 'wait')).toEqual([]);
      await stage.runAll();
      expect(stage.ran).toEqual(['done', 'broken', 'waits']);
    },

    'queue.drain': async () => {
      await stage.add(['a'], ['b', { priority: 1 }], ['late', { delay: hour }]);
      await stage.manager.drain();
      expect(await stage.state('late')).toBe('delayed');
      await stage.manager.drain(true);
      await stage.add(['c']);
      await stage.runAll();
      expect([stage.ran, await stage.state('late')]).toEqual([['c'], 'unknown']);
    },

    'queue.obliterate': async () => {
      await stage.add(['a'], ['b']);
      await stage.runAll(failing);
      await stage.add(['c', { delay: hour }], ['d', { priority: 1 }]);
      await stage.manager.obliterate();
      for (const id of ['a', 'b', 'c', 'd']) expect(await stage.state(id)).toBe('unknown');
      expect(await stage.owner.isPaused()).toBe(false);
      await stage.add(['e']);
      await stage.runAll();
      expect(stage.ran).toEqual(['a', 'b', 'e']);
    },

    'queue.removeOrphanedJobs': async () => {
      await stage.add(['a'], ['orphan'], ['late', { delay: hour }]);
      await stage.ground.redis.lrem(stage.ground.key('work', 'wait'), 1, 'orphan');
      expect(await stage.manager.removeOrphanedJobs()).toBe(1);
      await stage.runAll();
      expect([stage.ran, await stage.state('late'), await stage.stored('orphan', 'name')]).toEqual([
        ['a'],
        'delayed',
        [null],
      ]);
    },

    'queue.trimEvents': async () => {
      await stage.add(['a'], ['b']);
      await stage.manager.trimEvents(0);
      expect(await stage.ground.redis.xlen(stage.ground.key('work', 'events'))).toBe(0);
      await stage.runAll();
      expect(stage.ran).toEqual(['a', 'b']);
    },

    'queue.promoteJobs': async () => {
      await stage.add(
        ['a', { delay: hour }],
        ['b', { delay: 2 * hour }],
        ['c', { delay: hour, priority: 2 }],
      );
      await stage.manager.promoteJobs();
      await stage.runAll();
      expect(stage.ran.sort()).toEqual(['a', 'b', 'c']);
    },

    'queue.retryJobs': async () => {
      await stage.add(['a'], ['b', { priority: 2 }]);
      await stage.runAll(failing);
      await stage.manager.retryJobs({ state: 'failed' });
      await stage.runAll(failing);
      expect(stage.ran.sort()).toEqual(['a', 'a', 'b', 'b']);
      await stage.manager.retryJobs({ state: 'completed' });
      await stage.runAll();
      expect(stage.ran).toHaveLength(6);
      expect(await stage.owner.getJobCounts('completed', 'failed')).toEqual({ completed: 2, failed: 0 });
    },

    'queue.updateJobProgress': async () => {
      await stage.add(['a']);
      await stage.manager.updateJobProgress('a', { half: [1] });
      expect((await stage.owner.getJob('a'))!.progress).toEqual({ half: [1] });
    },

    'queue.addJobLog': async () => {
      await stage.add(['a']);
      expect(await stage.manager.addJobLog('a', 'é', 5)).toBe(1);
      expect(await stage.owner.getJobLogs('a')).toEqual({ logs: ['é'], count: 1 });
    },

    'job.updateProgress': async () => {
      await stage.add(['a']);
      await (await stage.job('a')).updateProgress(7);
      expect((await stage.owner.getJob('a'))!.progress).toBe(7);
    },

    'job.remove': async () => {
      await stage.add(['a'], ['b'], ['c', { delay: hour }]);
      await (await stage.job('a')).remove();
      await (await stage.job('c')).remove();
      await stage.runAll();
      await (await stage.job('b')).remove();
      expect([stage.ran, await stage.state('b'), await stage.state('c')]).toEqual([
        ['b'],
        'unknown',
        'unknown',
      ]);
      await stage.add(['held']);
      await stage.take('owner');
      await expect((await stage.job('held')).remove()).rejects.toThrow(/held/);
      expect(await stage.state('held')).toBe('active');
    },

    'job.updateData': async () => {
      await stage.add(['a']);
      await (await stage.job('a')).updateData({ by: 'manager', list: [], nothing: null });
      await stage.runAll((job) => job.data);
      expect((await stage.owner.getJob('a'))!.returnvalue).toEqual({
        by: 'manager',
        list: [],
        nothing: null,
      });
    },

    'job.log': async () => {
      await stage.add(['a']);
      const job = await stage.job('a');
      expect([await job.log('1'), await job.log('2')]).toEqual([1, 2]);
      expect(await stage.owner.getJobLogs('a')).toEqual({ logs: ['1', '2'], count: 2 });
    },

    'job.clearLogs': async () => {
      await stage.add(['a']);
      for (const row of ['1', '2', '3']) await stage.owner.addJobLog('a', row);
      await (await stage.job('a')).clearLogs(2);
      expect((await stage.owner.getJobLogs('a')).logs).toEqual(['2', '3']);
      await (await stage.job('a')).clearLogs();
      expect((await stage.owner.getJobLogs('a')).logs).toEqual([]);
    },

    'job.moveToDelayed': async () => {
      await stage.add(['a']);
      await (await stage.take('owner')).moveToDelayed(Date.now() + hour, 'owner');
      expect(await stage.state('a')).toBe('delayed');
      await stage.owner.promoteJobs();
      await stage.runAll();
      expect(await stage.stored('a', 'atm', 'ats')).toEqual(['1', '2']);
    },

    'job.moveToWait': async () => {
      await stage.add(['a'], ['b']);
      await (await stage.take('owner')).moveToWait('owner');
      await stage.runAll();
      expect(stage.ran).toEqual(['a', 'b']);
      expect(await stage.stored('a', 'atm', 'ats')).toEqual(['1', '2']);
    },

    'job.moveToCompleted': async () => {
      await stage.add(['a']);
      const job = await stage.take('owner');
      await expect(job.moveToCompleted(0, 'another', false)).rejects.toThrow();
      expect(await stage.state('a')).toBe('active');
      await job.moveToCompleted({ by: 'manager' }, 'owner', false);
      expect((await stage.owner.getJob('a'))!.returnvalue).toEqual({ by: 'manager' });
      expect(await stage.state('a')).toBe('completed');
    },

    'job.moveToFailed': async () => {
      await stage.add(['a', { attempts: 2 }]);
      await (await stage.take('owner')).moveToFailed(new Error('once'), 'owner', false);
      expect(await stage.state('a')).toBe('waiting');
      await (await stage.take('owner')).moveToFailed(new Error('twice'), 'owner', false);
      expect(await stage.state('a')).toBe('failed');
      expect(await stage.stored('a', 'atm', 'failedReason')).toEqual(['2', 'twice']);
    },

    'job.extendLock': async () => {
      await stage.add(['a']);
      await (await stage.take('owner')).extendLock('owner', hour);
      const left = await stage.ground.redis.pttl(stage.ground.key('work', 'a:lock'));
      expect(left).toBeGreaterThan(hour / 2);
    },

    'job.promote': async () => {
      await stage.add(['a', { delay: hour }], ['b', { delay: hour, priority: 2 }], ['c']);
      await (await stage.job('b')).promote();
      await (await stage.job('a')).promote();
      await stage.runAll();
      expect(stage.ran).toEqual(['c', 'a', 'b']);
    },

    'job.changeDelay': async () => {
      await stage.add(['a', { delay: hour }], ['b', { delay: 30 }]);
      await (await stage.job('a')).changeDelay(20);
      await (await stage.job('b')).changeDelay(hour);
      stage.work();
      await stage.runs(1);
      expect([stage.ran, await stage.state('b')]).toEqual([['a'], 'delayed']);
    },

    'job.changePriority': async () => {
      await stage.add(['a'], ['b'], ['c', { priority: 5 }], ['d', { priority: 5 }]);
      await (await stage.job('a')).changePriority({ priority: 7 });
      await (await stage.job('d')).changePriority({ priority: 1 });
      await (await stage.job('c')).changePriority({ priority: 0 });
      await stage.runAll();
      expect(stage.ran).toEqual(['b', 'c', 'd', 'a']);
    },

    'job.retry': async () => {
      await stage.add(['a'], ['b']);
      await stage.runAll((job) => {
        if (job.id === 'a') throw new Error('the first time');
      });
      await (await stage.job('a')).retry('failed', { resetAttemptsMade: true });
      await (await stage.job('b')).retry('completed');
      await stage.runAll();
      expect(stage.ran).toEqual(['a', 'b', 'a', 'b']);
      expect(await stage.stored('a', 'atm', 'ats')).toEqual(['1', '2']);
      expect(await stage.stored('b', 'atm', 'ats')).toEqual(['2', '2']);
    },
  };
}

const calls = Object.keys(operationsOn({} as Stage)) as Call[];

const cells = majors.flatMap((major): { title: string; owner: Party; manager: Party }[] => [
  { title: `${nameOf(major)} manages jobs of ours`, owner: 'ours', manager: major },
  { title: `we manage jobs of ${nameOf(major)}`, owner: major, manager: 'ours' },
]);

describe.each(cells)('$title', ({ owner, manager }) => {
  it.each(calls)('%s', async (call) => {
    await onCommonGround(async (ground) => {
      const stage = new Stage(ground, owner, manager);
      await Promise.all([stage.owner.waitUntilReady(), stage.manager.waitUntilReady()]);
      await operationsOn(stage)[call]();
      await ground.stopWorkers();
      expect(ground.errors).toEqual([]);
    });
  });
});
