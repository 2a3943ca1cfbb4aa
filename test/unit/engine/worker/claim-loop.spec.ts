import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { WaitForWorkRequest } from '../../../../lib/contract/work-signal';
import type { ClaimIdle, ClaimRequest, Outcome } from '../../../../lib/contract/job-handover';
import type { CallTerms } from '../../../../lib/engine/runtime/call-channel';
import type { OpenConnection } from '../../../../lib/engine/runtime/queue-connection';
import { wait } from '../../../../lib/engine/runtime/wait';
import { ClaimLoop } from '../../../../lib/engine/worker/claim-loop';
import type { JobRecord } from '../../../../lib/model/job-record';
import { resolveWorkerOptions, type ResolvedWorkerOptions } from '../../../../lib/model/worker-options';
import { ManualClock, turnOfTheEventLoop } from '../../../support/manual-clock';

interface Finished {
  readonly outcome: Outcome;
}

/** A call comes out of one turn of the event loop, and what follows from its answer out of the next. */
async function comeToRest(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await turnOfTheEventLoop();
  }
}

describe('a claim loop whose queue holds jobs back', () => {
  let clock: ManualClock;
  /** What each claim brings, and the last one ever after. */
  let claims: { readonly ids: readonly string[]; readonly idle: ClaimIdle | null }[];
  let asked: number[];
  let waits: number[];
  /** The lifts of limits that waits are told of. */
  let lift: (() => void) | undefined;
  let limits: unknown[];
  let options: ResolvedWorkerOptions;
  let drained: number;
  /** What handlers end with, by the ids of their jobs. */
  let ends: Map<string, (isLimited?: boolean) => void>;
  let settled: string[];
  let loop: ClaimLoop<Finished>;

  beforeEach(() => {
    clock = new ManualClock();
    claims = [];
    asked = [];
    waits = [];
    limits = [];
    settled = [];
    drained = 0;
    ends = new Map();
    const claim = (request: ClaimRequest) => {
      asked.push(request.count);
      const { ids, idle } = claims.length > 1 ? claims.shift()! : claims[0]!;
      return { jobs: ids.map((id) => ({ id }) as JobRecord), token: 'token', iterations: [], idle };
    };
    const backend = {
      claimJobs: async (request: ClaimRequest) => ({ now: clock.now(), claim: claim(request) }),
      settleJobs: async (request: { outcomes: readonly Outcome[]; claim: ClaimRequest | null }) => {
        settled.push(...request.outcomes.map(({ id }) => id));
        return {
          now: clock.now(),
          refusals: request.outcomes.map(() => null),
          claim: request.claim === null ? null : claim(request.claim),
        };
      },
      waitForWork: async ({ block, signal, limited }: WaitForWorkRequest) => {
        waits.push(block);
        limits.push(limited);
        const lifted = new Promise<boolean>((resolve) => (lift = () => resolve(true)));
        return Promise.race([lifted, wait(clock, block, signal).then(() => false)]);
      },
    };
    const channel = { call: (_: CallTerms, send: (call: unknown) => Promise<unknown>) => send({}) };
    const connection = { backend, work: [channel] } as unknown as OpenConnection;
    options = resolveWorkerOptions({ concurrency: 4, drainDelay: 5 }, 'Worker');
    loop = new ClaimLoop<Finished>(connection, clock, options, {
      run: ({ record: { id }, token }, ended) =>
        ends.set(id, (isLimited = false) =>
          ended({ outcome: { kind: 'handed-back', id, token, ...(isLimited && { isLimited }) } }),
        ),
      decline: ({ id }, token) => ({ outcome: { kind: 'handed-back', id, token } }),
      settled: () => undefined,
      drained: () => (drained += 1),
      onCancel: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
  });

  afterEach(async () => {
    await loop.stop();
  });

  it.each<[string, number | null, number]>([
    ['the limit ends, if that is before it would look by itself', 300, 300],
    ['it would look by itself, if that is before the limit ends', 60_000, 5_000],
    ['it would look by itself, if nothing ends by itself', null, 5_000],
    ['a moment has passed, if the limit ends just now', 0, 1],
  ])('waits until %s', async (_, dueIn, expected) => {
    claims = [{ ids: [], idle: { reason: 'blocked', dueIn } }];
    loop.start();
    await comeToRest();

    await clock.advance(expected - 1);
    expect(asked).toEqual([4]);
    expect(waits).toEqual([expected]);
    await clock.advance(1);
    await comeToRest();
    expect(asked).toEqual([4, 4]);
    expect(waits).toEqual([expected, expected]);

    for (let more = 0; more < 8; more += 1) {
      await clock.advance(expected);
      await comeToRest();
    }
    expect(asked).toHaveLength(10);
    expect(drained).toBe(0);
  });

  it('runs what it was given, and asks for no more with its outcomes before the wait is over', async () => {
    claims = [
      { ids: ['a', 'b'], idle: { reason: 'blocked', dueIn: 300 } },
      { ids: ['c'], idle: { reason: 'blocked', dueIn: 1_000 } },
    ];
    loop.start();
    await comeToRest();
    await clock.advance(100);
    ends.get('a')!();
    await comeToRest();

    expect(settled).toEqual(['a']);
    expect(asked).toEqual([4]);
    await clock.advance(200);
    await comeToRest();
    expect(asked).toEqual([4, 3]);
    expect([...ends.keys()]).toEqual(['a', 'b', 'c']);
  });

  describe('by a rate limit', () => {
    const limited = (dueIn: number, ...ids: string[]) => ({
      ids,
      idle: { reason: 'limited' as const, dueIn },
    });
    const nothing = { ids: [], idle: { reason: 'empty' as const, dueIn: null } };

    it.each([
      ['its end, however long the loop waits for work', 60_000, 30_000, 30_000],
      ['its end, if that is sooner', 300, 30_000, 300],
      ['the longest that it may', 60_000, 7_000, 7_000],
    ])('waits for %s', async (_, dueIn, maximumRateLimitDelay, expected) => {
      options.maximumRateLimitDelay = maximumRateLimitDelay;
      options.limiter = { max: 1, duration: 60_000 };
      claims = [limited(dueIn), nothing];
      loop.start();
      await comeToRest();
      await clock.advance(expected - 1);
      expect([asked, waits]).toEqual([[4], [expected]]);
      expect(limits).toEqual([{ limiter: { max: 1, duration: 60_000 } }]);
      await clock.advance(1);
      await comeToRest();

      expect([asked, waits]).toEqual([
        [4, 4],
        [expected, 5_000],
      ]);
      expect(limits[1]).toBeUndefined();
      expect(drained).toBe(0);
    });

    it('claims at once when it is lifted', async () => {
      claims = [limited(60_000), nothing];
      loop.start();
      await comeToRest();
      expect(limits).toEqual([{}]);
      lift!();
      await comeToRest();

      expect(asked).toEqual([4, 4]);
    });

    it('writes outcomes meanwhile, and claims with none of them', async () => {
      claims = [limited(1_000, 'a', 'b'), nothing];
      loop.start();
      await comeToRest();
      ends.get('a')!();
      await comeToRest();
      ends.get('b')!();
      await comeToRest();

      expect([settled, asked, waits]).toEqual([['a', 'b'], [4], [1_000]]);
    });

    it('claims with a job that has met one, to learn how long it lasts, and gives up a wait for work', async () => {
      claims = [{ ids: ['a'], idle: { reason: 'empty', dueIn: null } }, limited(2_000), nothing];
      loop.start();
      await comeToRest();
      expect([asked, waits]).toEqual([[4], [5_000]]);
      ends.get('a')!(true);
      await comeToRest();

      expect([settled, asked, waits]).toEqual([['a'], [4, 4], [5_000, 2_000]]);
      await clock.advance(1_999);
      expect(asked).toEqual([4, 4]);
      await clock.advance(1);
      await comeToRest();
      expect(asked).toEqual([4, 4, 4]);
    });

    it('asks when it is over, if it had no slot free to wait with', async () => {
      claims = [limited(1_000, 'a', 'b'), nothing];
      loop.start();
      await comeToRest();
      options.concurrency = 2;
      loop.adjust();
      await comeToRest();
      await clock.advance(3_000);
      expect(asked).toEqual([4]);
      ends.get('a')!();
      await comeToRest();

      expect(asked).toEqual([4, 1]);
    });
  });
});

describe('a claim loop with two claims on their way', () => {
  it('claims again after a wake-up that overtakes the answer of a claim that found nothing', async () => {
    const clock = new ManualClock();
    const nothing = { jobs: [], token: 'token', iterations: [], idle: { reason: 'empty', dueIn: null } };
    const answers: (() => void)[] = [];
    const wakeUps: ((value: boolean) => void)[] = [];
    const backend = {
      claimJobs: () =>
        new Promise((resolve) => answers.push(() => resolve({ now: clock.now(), claim: nothing }))),
      waitForWork: () => new Promise<boolean>((resolve) => wakeUps.push(resolve)),
    };
    const channel = { call: (_: CallTerms, send: (call: unknown) => Promise<unknown>) => send({}) };
    const connection = { backend, work: [channel, channel] } as unknown as OpenConnection;
    const loop = new ClaimLoop<Finished>(
      connection,
      clock,
      resolveWorkerOptions({ concurrency: 4 }, 'Worker'),
      {
        run: () => undefined,
        decline: ({ id }, token) => ({ outcome: { kind: 'handed-back', id, token } }),
        settled: () => undefined,
        drained: () => undefined,
        onCancel: () => undefined,
        onError: (error) => {
          throw error;
        },
      },
    );
    loop.start();
    await comeToRest();
    expect(answers).toHaveLength(2);
    answers[0]!();
    await comeToRest();
    expect(wakeUps).toHaveLength(1);

    wakeUps[0]!(true);
    answers[1]!();
    await comeToRest();

    expect(answers.length).toBeGreaterThan(2);
    await loop.stop();
  });
});
