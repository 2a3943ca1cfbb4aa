import assert from 'node:assert/strict';

import type { CancelNotice } from '../../../contract/job-cancelling';
import type { Outcome } from '../../../contract/job-handover';
import { KEEP_ALL } from '../../../model/policy/retention';
import type { ContractCase } from '../conformance-case';
import type { ConformanceContext } from '../conformance-context';
import {
  completed,
  completion,
  failure,
  handBack,
  heldBack,
  leaseOf,
  leasesOf,
  retry,
  type QueueUser,
} from '../queue-user';

const LONG = 3_600_000;

/** Waits as a handle does whose hands are full, and writes down what it is told. */
function listen(
  { handle }: QueueUser,
  context: ConformanceContext,
  terms: { readonly busy?: boolean; readonly limited?: object } = { busy: true },
): { told: CancelNotice[]; ended: Promise<boolean>; hasEnded: boolean; end: () => void } {
  const signal = context.signal();
  const told: CancelNotice[] = [];
  const ended = handle.waitForWork({
    block: LONG,
    signal: signal.signal,
    onCancel: (notice) => told.push(notice),
    ...terms,
  });
  const listening = { told, ended, hasEnded: false, end: () => signal.abort() };
  void ended.then(() => (listening.hasEnded = true));
  return listening;
}

/** Waits until something has come, which has no time of its own. */
async function told(notices: readonly CancelNotice[], count: number): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (notices.length < count) {
    assert.ok(Date.now() < deadline, `only ${notices.length} of ${count} notices have come`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** How a job ends whose cancel was requested, by the outcome that its holder writes. */
function endsAs(
  kind: string,
  toOutcome: (lease: { id: string; token: string }, now: number) => Outcome,
  end: { readonly attemptsMade: number; readonly stacktrace: string; readonly isExhausted?: true },
): ContractCase {
  return {
    operation: 'settleJobs',
    title: `fails a job whose cancel was requested, in place of what ${kind} would make of it`,
    covers: ['event:failed', 'event:drained'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const [lease] = leasesOf(await user.claim(1));
      await user.cancel('a');
      const tail = await context.tail(user);

      context.expectRefusals(await user.settle([toOutcome(lease!, await user.handle.time())]), null);

      const job = (await user.job('a'))!;
      assert.deepEqual(
        [job.state, job.failedReason, job.failedCode, job.cancelReason, job.finishedOn],
        ['failed', 'why', 'cancelled', null, await user.handle.time()],
      );
      assert.deepEqual([job.attemptsMade, job.stacktrace], [end.attemptsMade, end.stacktrace]);
      await tail.expect([
        { event: 'failed', jobId: 'a', failedReason: 'why', prev: 'active' },
        ...(end.isExhausted ? [{ event: 'retries-exhausted', jobId: 'a', attemptsMade: '1' }] : []),
        { event: 'drained' },
      ]);
      assert.deepEqual((await user.claim(1)).jobs, []);
    },
  };
}

/**
 * Cancelling jobs that somebody holds.
 *
 * @internal
 */
export const CANCEL_REQUEST_CASES: readonly ContractCase[] = [
  {
    operation: 'cancelJobs',
    title: 'notes the cancel of a job that is held, and tells its holder, who may be busy',
    covers: ['success'],
    async run(context) {
      const user = context.open({ role: 'producer' });
      const [holder, other] = [context.open(), context.open()];
      await user.addIds('a', 'b ü/☃"', 'c');
      const claim = await holder.claim(2);
      await other.claim(1);
      const [heard, others] = [listen(holder, context), listen(other, context)];
      const tail = await context.tail(user);

      const reply = await user.cancel('a', { id: 'b ü/☃"', reason: 'no "ü/☃"\n' });

      context.expectRefusals(reply, null, null);
      assert.deepEqual(reply.answers, ['requested', 'requested']);
      await told(heard.told, 2);
      const { token } = claim;
      const notices = [
        { id: 'a', token, reason: 'why' },
        { id: 'b ü/☃"', token, reason: 'no "ü/☃"\n' },
      ];
      assert.deepEqual(
        heard.told.toSorted((one, next) => (one.id < next.id ? -1 : 1)),
        notices,
      );
      assert.deepEqual(await user.ids('active'), ['a', 'b ü/☃"', 'c']);
      assert.equal((await user.job('a'))!.cancelReason, 'why');
      await user.cancel('c');
      await told(others.told, 1);
      assert.equal(others.told[0]!.id, 'c');
      assert.equal(heard.told.length, 2);
      await tail.expect([]);
      heard.end();
      others.end();
      assert.equal(await heard.ended, false);
    },
  },
  {
    operation: 'cancelJobs',
    title:
      'notes the cancel of a job whose holder has chosen the token itself, and says that it cannot be told',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const tokens = ['mine', `${user.handle.caller}:c0:x`, `${user.handle.caller.slice(1)}:w0:1`];
      for (const [index, token] of tokens.entries()) {
        const id = `j${index}`;
        await user.addIds(id);
        const claim = await user.claim(1, { token });
        const heard = listen(user, context);

        const reply = await user.cancel(id);

        context.expectRefusals(reply, null);
        assert.deepEqual(reply.answers, ['unreachable']);
        assert.equal((await user.job(id))!.cancelReason, 'why');
        heard.end();
        await heard.ended;
        assert.deepEqual(heard.told, []);
        assert.deepEqual((await user.renew(leasesOf(claim))).cancels, [{ id, token, reason: 'why' }]);
        await user.settle([retry(leaseOf(claim))]);
        assert.equal(await user.state(id), 'failed');
      }
    },
  },
  {
    operation: 'cancelJobs',
    title: 'goes by the first reason that a held job was given, and tells it again',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b');
      const claim = await user.claim(2);
      await user.cancel({ id: 'a', reason: 'first' });
      assert.deepEqual((await user.cancel({ id: 'a', reason: 'second' })).answers, ['requested']);
      const heard = listen(user, context);

      await told(heard.told, 1);
      assert.equal(heard.told.at(-1)!.reason, 'first');
      heard.end();
      await heard.ended;
      await user.settle([failure(leaseOf(claim, 'a')), completion(leaseOf(claim, 'b'))]);
      assert.equal((await user.job('a'))!.failedReason, 'first');
    },
  },
  {
    operation: 'renewLeases',
    title: 'tells of jobs that were cancelled in the hands of their holder, and of no others',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c', 'd');
      const claim = await user.claim(4);
      const leases = leasesOf(claim);
      assert.deepEqual((await user.renew(leases)).cancels, []);
      await user.cancel('b', 'd');

      const foreign = { id: 'd', token: 'foreign' };
      const { cancels } = await user.renew([...leases.slice(0, 3), foreign]);

      assert.deepEqual(cancels, [{ id: 'b', token: claim.token, reason: 'why' }]);
    },
  },
  endsAs(
    'a retry',
    (lease) => retry(lease, { reason: 'broken', stacktrace: '["Error: broken"]', delay: 10 }),
    { attemptsMade: 1, stacktrace: '["Error: broken"]' },
  ),
  endsAs('a hand-back', (lease) => handBack(lease), { attemptsMade: 0, stacktrace: '[]' }),
  endsAs('holding it back', (lease, now) => heldBack(lease, now + 10), { attemptsMade: 0, stacktrace: '[]' }),
  endsAs(
    'another failure',
    (lease) => failure(lease, { reason: 'broken', code: 'no-handler', stacktrace: '["Error: broken"]' }),
    { attemptsMade: 1, stacktrace: '["Error: broken"]', isExhausted: true },
  ),
  {
    operation: 'settleJobs',
    title: 'completes a job whose cancel was requested, and forgets the request',
    covers: ['success', 'event:completed'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      const claim = await user.claim(1);
      await user.cancel('a');
      const tail = await context.tail(user);

      await user.settle(completed(claim, { returnValue: '1' }));

      const { state, returnValue, failedReason, failedCode, cancelReason } = (await user.job('a'))!;
      assert.deepEqual(
        [state, returnValue, failedReason, failedCode, cancelReason],
        ['completed', '1', null, null, null],
      );
      await tail.expect([
        { event: 'completed', jobId: 'a', returnvalue: '1', prev: 'active' },
        { event: 'drained' },
      ]);
      await user.retry({ id: 'a', state: 'completed' });
      const again = await user.claim(1);
      assert.equal(again.jobs[0]!.cancelReason, null);
      await user.settle([retry(leaseOf(again))]);
      assert.equal(await user.state('a'), 'waiting');
    },
  },
  {
    operation: 'settleJobs',
    title: 'keeps of a job that it fails as cancelled what its own options say, and counts it',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.add({ id: 'a' }, { id: 'b', options: '{"removeOnFail":true}' }, { id: 'c' });
      const claim = await user.claim(3);
      await user.cancel('a', 'b');
      const outcomes = [
        retry(leaseOf(claim, 'a')),
        handBack(leaseOf(claim, 'b')),
        handBack(leaseOf(claim, 'c')),
      ];
      const call = await user.nextCall('w0');
      await user.handle.settleJobs({ outcomes, claim: null, maxDataPoints: 10 }, call);

      assert.deepEqual(await user.ids('failed'), ['a']);
      assert.equal(await user.state('b'), null);
      assert.equal(await user.state('c'), 'waiting');
      const { count } = await user.handle.getMetrics({ state: 'failed', offset: 0, limit: null });
      assert.equal(count, 2);
      await user.cancel('c');
      const uncounted = await user.handle.getMetrics({ state: 'failed', offset: 0, limit: null });
      assert.equal(uncounted.count, 2);
    },
  },
  {
    operation: 'claimJobs',
    title: 'tells of a request that it finds with a job that was taken back, which counts for no rate',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.addIds('a', 'b', 'c');
      await user.claim(1, { leaseDuration: 10 });
      await user.cancel('a');
      await user.recover();
      await context.advance(30_000);
      assert.deepEqual((await user.recover()).recovered, ['a']);
      assert.equal(await user.state('a'), 'waiting');

      const claim = await user.claim(3, { limiter: { max: 1, duration: 60_000 } });

      assert.deepEqual(
        claim.jobs.map(({ id, cancelReason }) => [id, cancelReason]),
        [
          ['a', 'why'],
          ['b', null],
        ],
      );
      const failed = failure(leaseOf(claim, 'a'), { reason: 'why', code: 'cancelled', attempts: 3 });
      await user.settle([{ ...failed, retention: KEEP_ALL } as Outcome]);
      const { state, failedCode, cancelReason, stalledCounter } = (await user.job('a'))!;
      assert.deepEqual([state, failedCode, cancelReason, stalledCounter], ['failed', 'cancelled', null, 1]);
    },
  },
  {
    operation: 'cancelJobs',
    title: 'ends a job at once that was taken back with a request',
    covers: ['success', 'event:failed'],
    async run(context) {
      const user = context.open();
      await user.addIds('a');
      await user.claim(1, { leaseDuration: 10 });
      await user.cancel({ id: 'a', reason: 'first' });
      await user.recover();
      await context.advance(30_000);
      await user.recover();
      const tail = await context.tail(user);

      assert.deepEqual((await user.cancel({ id: 'a', reason: 'second' })).answers, ['ended']);

      await tail.expect([
        { event: 'failed', jobId: 'a', failedReason: 'second', prev: 'waiting' },
        { event: 'drained' },
      ]);
      assert.equal((await user.job('a'))!.cancelReason, null);
    },
  },
  {
    operation: 'waitForWork',
    title:
      'keeps news of cancelled jobs for a holder that does not wait just then, whatever it waits for next',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      const holder = context.open();
      await user.setRateLimit({ max: 2, duration: 600_000 });
      await user.addIds('a', 'b');
      await holder.claim(2);
      assert.equal((await holder.claim(1)).idle?.reason, 'limited');
      for (const [id, terms] of [
        ['a', {}],
        ['b', { limited: {} }],
      ] as const) {
        await context.takeWakeUps(holder);
        await user.cancel(id);
        const heard = listen(holder, context, terms);
        await told(heard.told, 1);
        assert.equal(heard.told[0]!.id, id);
        heard.end();
        await heard.ended;
      }
    },
  },
  {
    operation: 'waitForWork',
    title: 'is not woken by jobs while its handle is busy, and leaves them to others',
    covers: ['success'],
    async run(context) {
      const user = context.open();
      const [busy, idle] = [context.open(), context.open()];
      const heard = listen(busy, context);
      const waiting = idle.handle.waitForWork({ block: LONG, signal: context.signal().signal });
      await context.advance(1);
      await user.addIds('a');

      assert.equal(await waiting, true);
      await context.advance(1);
      assert.equal(heard.hasEnded, false);
      await context.advance(LONG);
      assert.equal(await heard.ended, false);
    },
  },
];
