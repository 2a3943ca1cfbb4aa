import assert from 'node:assert/strict';

import type { MutatingCall, Reply } from '../../../contract/mutating-call';
import { OPERATIONS, type OperationName } from '../../../contract/operations';
import type { QueueBackend } from '../../../contract/queue-backend';
import { CallExpiredError } from '../../../model/errors/call-expired.error';
import { QueueClosedError } from '../../../model/errors/queue-closed.error';
import { StaleCallError } from '../../../model/errors/stale-call.error';
import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import { completed, failure, leaseOf, leasesOf, type QueueUser } from '../queue-user';

type MutatingName = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['mutating'] extends true ? Name : never;
}[OperationName];

/** Brings about a state in which a call changes something, and makes that call. */
type Sample = (
  user: QueueUser,
  context: ConformanceContext,
) => Promise<(call: MutatingCall) => Promise<Reply>>;

const CLAIM = { count: 2, leaseDuration: 30_000, workerName: 'worker' };

const SAMPLES: Record<MutatingName, Sample> = {
  addJobs: async ({ handle }) => {
    const job = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };
    return (call) => handle.addJobs({ jobs: [job, { ...job, delay: 10 }, { ...job, id: 'a' }] }, call);
  },
  claimJobs: async (user, context) => {
    await user.add({ id: 'a' }, { id: 'b', delay: 10 }, { id: 'c' }, { id: 'd' });
    await context.advance(10);
    return (call) => user.handle.claimJobs(CLAIM, call);
  },
  settleJobs: async (user) => {
    await user.addIds('a', 'b', 'c', 'd');
    const claim = await user.claim(2);
    const outcomes = [failure(leaseOf(claim, 'a')), ...completed(claim)];
    return (call) => user.handle.settleJobs({ outcomes, claim: CLAIM }, call);
  },
  renewLeases: async (user) => {
    await user.addIds('a');
    const leases = leasesOf(await user.claim(1));
    return (call) => user.handle.renewLeases({ leases, leaseDuration: 60_000 }, call);
  },
  recoverAbandonedJobs: async (user, context) => {
    await user.addIds('a');
    await user.claim(1, { leaseDuration: 10 });
    await user.recover();
    await context.advance(30_000);
    return (call) => user.handle.recoverAbandonedJobs({ sweepInterval: 30_000, maxStalledCount: 1 }, call);
  },
  claimExpiredJobs: async (user, context) => {
    await user.add({ id: 'a', expiresIn: 10 }, { id: 'b', expiresIn: 10, priority: 1 }, { id: 'c' });
    await context.advance(10);
    return (call) => user.handle.claimExpiredJobs(CLAIM, call);
  },
  planIteration: async (user) => {
    await user.addIds('a');
    await user.claim(1);
    return (call) => user.handle.planIteration({ id: 'a', due: 1 }, call);
  },
  promoteJobs: async (user) => {
    await user.add({ id: 'a', delay: 100 }, { id: 'b' });
    return (call) => user.handle.promoteJobs({ ids: ['a', 'b', 'none'] }, call);
  },
  promoteDelayedJobs: async (user) => {
    await user.add({ id: 'a', delay: 100 }, { id: 'b', delay: 100 });
    return (call) => user.handle.promoteDelayedJobs({ count: 1 }, call);
  },
  changeDelays: async (user) => {
    await user.add({ id: 'a', delay: 100 });
    return (call) => user.handle.changeDelays({ changes: [{ id: 'a', delay: 50 }] }, call);
  },
  changePriorities: async (user) => {
    await user.addIds('a', 'b');
    const changes = [{ id: 'a', priority: 5, lifo: false }];
    return (call) => user.handle.changePriorities({ changes }, call);
  },
  retryJobs: async (user) => {
    await user.addIds('a');
    await user.finishAll();
    const flags = { lifo: false, resetAttemptsMade: true, resetAttemptsStarted: true };
    return (call) => user.handle.retryJobs({ retries: [{ id: 'a', state: 'completed', ...flags }] }, call);
  },
  retryFinishedJobs: async (user) => {
    await user.addIds('a', 'b');
    await user.finishAll();
    return (call) => user.handle.retryFinishedJobs({ state: 'completed', count: 1, until: null }, call);
  },
  updateData: async (user) => {
    await user.addIds('a');
    return (call) => user.handle.updateData({ updates: [{ id: 'a', data: '1' }] }, call);
  },
  addLogs: async (user) => {
    await user.addIds('a');
    return (call) => user.handle.addLogs({ entries: [{ id: 'a', row: 'row', keep: null }] }, call);
  },
  clearLogs: async (user) => {
    await user.addIds('a');
    await user.log('a', 'old', 'new');
    return (call) => user.handle.clearLogs({ logs: [{ id: 'a', keep: 1 }] }, call);
  },
  updateProgress: async (user) => {
    await user.addIds('a');
    return (call) => user.handle.updateProgress({ updates: [{ id: 'a', progress: '1' }] }, call);
  },
  removeJobs: async (user) => {
    await user.addIds('a', 'b');
    const jobs = ['a', 'none'].map((id) => ({ id, removeChildren: true }));
    return (call) => user.handle.removeJobs({ jobs }, call);
  },
  cancelJobs: async (user) => {
    await user.add({ id: 'held' }, { id: 'w' }, { id: 'd', delay: 100 });
    await user.claim(1);
    const cancels = ['held', 'w', 'd', 'none'].map((id) => ({ id, reason: 'cancelled' }));
    return (call) => user.handle.cancelJobs({ cancels }, call);
  },
  cleanJobs: async (user) => {
    await user.addIds('a', 'b', 'c');
    const before = await user.handle.time();
    return (call) => user.handle.cleanJobs({ state: 'waiting', before, kept: 1, limit: 1 }, call);
  },
  drainQueue: async (user) => {
    await user.add({ id: 'a' }, { id: 'b', delay: 10_000 });
    return (call) => user.handle.drainQueue({ delayed: false, kept: 0 }, call);
  },
  obliterateQueue: async (user) => {
    await user.addIds('a', 'b', 'c');
    await user.pause();
    return (call) => user.handle.obliterateQueue({ force: false, limit: 2 }, call);
  },
  removeOrphanedJobs: async (user) => {
    await user.addIds('a');
    return (call) => user.handle.removeOrphanedJobs({ ids: ['a', 'none'] }, call);
  },
  trimEvents: async (user) => {
    await user.addIds('a', 'b');
    return (call) => user.handle.trimEvents({ maxLength: 0 }, call);
  },
  publishEvents: async ({ handle }) => {
    const events = [{ name: 'mail-read', fields: [['by', 'ada'] as const], maxEvents: null }];
    return (call) => handle.publishEvents({ events }, call);
  },
  pause: async ({ handle }) => {
    return (call) => handle.pause(call);
  },
  resume: async (user) => {
    await user.pause();
    return (call) => user.handle.resume(call);
  },
  setCeiling: async ({ handle }) => {
    return (call) => handle.setCeiling({ ceiling: 3 }, call);
  },
  setRateLimit: async ({ handle }) => {
    return (call) => handle.setRateLimit({ limit: { max: 3, duration: 1_000 } }, call);
  },
  limitClaims: async ({ handle }) => {
    return (call) => handle.limitClaims({ duration: 60_000 }, call);
  },
};

/** One call of every operation. */
const ANY_CALL: Record<OperationName, (handle: QueueBackend, call: MutatingCall) => Promise<unknown>> = {
  addJobs: (handle, call) => handle.addJobs({ jobs: [] }, call),
  claimJobs: (handle, call) => handle.claimJobs(CLAIM, call),
  settleJobs: (handle, call) => handle.settleJobs({ outcomes: [], claim: null }, call),
  renewLeases: (handle, call) => handle.renewLeases({ leases: [], leaseDuration: 10 }, call),
  recoverAbandonedJobs: (handle, call) =>
    handle.recoverAbandonedJobs({ sweepInterval: 10, maxStalledCount: 1 }, call),
  claimExpiredJobs: (handle, call) => handle.claimExpiredJobs(CLAIM, call),
  planIteration: (handle, call) => handle.planIteration({ id: 'a', due: 1 }, call),
  promoteJobs: (handle, call) => handle.promoteJobs({ ids: [] }, call),
  promoteDelayedJobs: (handle, call) => handle.promoteDelayedJobs({ count: 1 }, call),
  changeDelays: (handle, call) => handle.changeDelays({ changes: [] }, call),
  changePriorities: (handle, call) => handle.changePriorities({ changes: [] }, call),
  retryJobs: (handle, call) => handle.retryJobs({ retries: [] }, call),
  retryFinishedJobs: (handle, call) =>
    handle.retryFinishedJobs({ state: 'failed', count: 1, until: null }, call),
  updateData: (handle, call) => handle.updateData({ updates: [] }, call),
  addLogs: (handle, call) => handle.addLogs({ entries: [] }, call),
  clearLogs: (handle, call) => handle.clearLogs({ logs: [] }, call),
  getLogs: (handle) => handle.getLogs({ id: 'a', offset: 0, limit: null, order: 'ascending' }),
  updateProgress: (handle, call) => handle.updateProgress({ updates: [] }, call),
  removeJobs: (handle, call) => handle.removeJobs({ jobs: [] }, call),
  cancelJobs: (handle, call) => handle.cancelJobs({ cancels: [] }, call),
  cleanJobs: (handle, call) => handle.cleanJobs({ state: 'failed', before: 0, kept: 0, limit: 1 }, call),
  drainQueue: (handle, call) => handle.drainQueue({ delayed: true, kept: 0 }, call),
  obliterateQueue: (handle, call) => handle.obliterateQueue({ force: true, limit: 1 }, call),
  findOrphanedJobs: (handle) => handle.findOrphanedJobs({ cursor: null, count: 1 }),
  removeOrphanedJobs: (handle, call) => handle.removeOrphanedJobs({ ids: [] }, call),
  getJobs: (handle) => handle.getJobs([]),
  getStates: (handle) => handle.getStates([]),
  getCounts: (handle) => handle.getCounts(),
  countDelayed: (handle) => handle.countDelayed(0),
  countPriorities: (handle) => handle.countPriorities([0, 1]),
  getMetrics: (handle) => handle.getMetrics({ state: 'completed', offset: 0, limit: null }),
  getPage: (handle) => handle.getPage({ state: 'waiting', offset: 0, limit: null, order: 'ascending' }),
  getWorkers: (handle) => handle.getWorkers(),
  pause: (handle, call) => handle.pause(call),
  resume: (handle, call) => handle.resume(call),
  setCeiling: (handle, call) => handle.setCeiling({ ceiling: 1 }, call),
  setRateLimit: (handle, call) => handle.setRateLimit({ limit: null }, call),
  limitClaims: (handle, call) => handle.limitClaims({ duration: 1 }, call),
  isPaused: (handle) => handle.isPaused(),
  isMaxed: (handle) => handle.isMaxed(),
  getRateLimitTtl: (handle) => handle.getRateLimitTtl(1),
  getSettings: (handle) => handle.getSettings(),
  readEvents: (handle) => handle.readEvents({ after: '0-0', limit: 1, block: 0 }),
  publishEvents: (handle, call) => handle.publishEvents({ events: [] }, call),
  lastEventId: (handle) => handle.lastEventId(),
  trimEvents: (handle, call) => handle.trimEvents({ maxLength: 1 }, call),
  waitForWork: (handle) => handle.waitForWork({ block: 10, signal: AbortSignal.abort() }),
  ready: (handle) => handle.ready(),
  time: (handle) => handle.time(),
  close: (handle) => handle.close(),
};

/** What these change cannot be looked up. */
const UNSEEN: readonly MutatingName[] = ['renewLeases', 'planIteration', 'removeOrphanedJobs'];

/** A channel that the samples do not use. */
const CHANNEL = 'w1';

function numberingOf(operation: MutatingName): ContractCase[] {
  const sample = SAMPLES[operation];
  return [
    {
      operation,
      title: 'happens once when it is made again',
      covers: ['replay'],
      async run(context) {
        const user = context.open();
        const act = await sample(user, context);
        const before = await user.snapshot();
        const call = await user.nextCall(CHANNEL);
        const reply = await act(call);
        const after = await user.snapshot();
        if (!UNSEEN.includes(operation)) {
          assert.notDeepEqual(after, before);
        }
        await context.advance(5);

        assert.deepEqual(await act(call), reply);

        assert.deepEqual(await user.snapshot(), after);
      },
    },
    {
      operation,
      title: 'is answered as before when it is made again after its deadline, and by another handle',
      covers: ['replay'],
      async run(context) {
        const user = context.open();
        const act = await sample(user, context);
        const call = await user.nextCall(CHANNEL, { notAfter: await user.handle.time() });
        const reply = await act(call);
        const after = await user.snapshot();
        await context.advance(5);

        const other = context.open();
        const again = await ANY_CALL[operation](other.handle, call);

        assert.deepEqual(again, reply);
        assert.deepEqual(await user.snapshot(), after);
      },
    },
    {
      operation,
      title: 'is refused under a lower number than the last of its channel, and changes nothing',
      covers: ['stale-number'],
      async run(context) {
        const user = context.open();
        const act = await sample(user, context);
        const stale = await user.nextCall(CHANNEL);
        await user.handle.addJobs({ jobs: [] }, await user.nextCall(CHANNEL));
        const before = await user.snapshot();

        await assert.rejects(act(stale), StaleCallError);

        assert.deepEqual(await user.snapshot(), before);
        await act(await user.nextCall(CHANNEL));
      },
    },
    {
      operation,
      title: 'is refused after its deadline, changes nothing, and can be made under a new number',
      covers: ['expired-call'],
      async run(context) {
        const user = context.open();
        const act = await sample(user, context);
        const before = await user.snapshot();
        const now = await user.handle.time();

        await assert.rejects(act(await user.nextCall(CHANNEL, { notAfter: now - 1 })), CallExpiredError);

        assert.deepEqual(await user.snapshot(), before);
        const reply = await act(await user.nextCall(CHANNEL, { notAfter: now }));
        assert.equal(reply.now, now);
      },
    },
  ];
}

function closedHandleOf(operation: OperationName): ContractCase {
  return {
    operation,
    title: 'is refused on a handle that is closed',
    covers: ['closed-handle'],
    async run(context) {
      const user = context.open();
      const call = await user.nextCall('c0');
      await ANY_CALL[operation](user.handle, call);
      await user.handle.close();

      await assert.rejects(ANY_CALL[operation](user.handle, { ...call, sequence: 2 }), QueueClosedError);
    },
  };
}

const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/**
 * What holds of every operation alike: of the numbered ones, and of all on a closed handle.
 *
 * @internal
 */
export const NUMBERING_CASES: readonly ContractCase[] = [
  ...(Object.keys(SAMPLES) as MutatingName[]).flatMap(numberingOf),
  ...OPERATION_NAMES.filter((operation) => operation !== 'close').map(closedHandleOf),
];
