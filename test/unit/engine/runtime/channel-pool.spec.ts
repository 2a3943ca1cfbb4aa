import { describe, expect, it } from '@jest/globals';

import type { MutatingCall, Reply } from '../../../../lib/contract/mutating-call';
import type { QueueBackend } from '../../../../lib/contract/queue-backend';
import { CallChannel, type CallTerms, ChannelPool } from '../../../../lib/engine/runtime/call-channel';
import { StoreTime } from '../../../../lib/engine/runtime/store-time';
import { ConnectionLostError } from '../../../../lib/model/errors/connection-lost.error';
import { ManualClock } from '../../../support/manual-clock';
import { SeededRandom } from '../../../support/seeded-random.mjs';

const TERMS: CallTerms = { name: 'add', validFor: 5_000, reissue: 'once' };

interface Sent {
  readonly label: number;
  readonly call: MutatingCall;
  reply(): Promise<void>;
  fail(error: Error): Promise<void>;
}

function setUp(channels: number) {
  const clock = new ManualClock();
  const backend = { caller: 'c', time: async () => clock.now() } as unknown as QueueBackend;
  const time = new StoreTime(backend, clock);
  time.observe(clock.now(), clock.now());
  const names = Array.from({ length: channels }, (_, index) => `a${index}`);
  const pool = new ChannelPool(
    names.map((name) => new CallChannel(backend, name, time, clock)),
    clock,
  );
  /** Calls that the store has and has not answered, in the order in which they came. */
  const open: Sent[] = [];
  const order: number[] = [];
  const ended: string[] = [];
  const ask = (label: number) => {
    const call = pool.call(
      TERMS,
      (call) =>
        new Promise<Reply>((resolve, reject) => {
          order.push(label);
          const end = async (act: () => void): Promise<void> => {
            open.splice(open.indexOf(sent), 1);
            act();
            await clock.advance(0);
          };
          const sent: Sent = {
            label,
            call,
            reply: () => end(() => resolve({ now: clock.now() })),
            fail: (error) => end(() => reject(error)),
          };
          open.push(sent);
        }),
    );
    call.then(
      () => ended.push(`${label} done`),
      (error: Error) => ended.push(`${label} ${error.name}`),
    );
  };
  return { clock, pool, open, order, ended, ask };
}

describe('ChannelPool', () => {
  it('uses as many channels as there are, and no channel twice at a time', async () => {
    const { clock, open, ask } = setUp(3);
    for (let label = 0; label < 5; label += 1) {
      ask(label);
    }
    await clock.advance(0);
    expect(open.map(({ label }) => label)).toEqual([0, 1, 2]);
    expect(open.map(({ call }) => call.channel)).toEqual(['a0', 'a1', 'a2']);
  });

  it('serves first who came first, whoever comes when a channel gets free', async () => {
    const { clock, open, order, ask } = setUp(1);
    [0, 1, 2].forEach(ask);
    await clock.advance(0);
    const first = open[0]!.reply();
    // Asked for in the very moment in which the channel passes on.
    ask(3);
    await first;
    while (open.length > 0) {
      await open[0]!.reply();
    }
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('frees the channel of a call that failed', async () => {
    const { clock, open, ended, ask } = setUp(2);
    for (let label = 0; label < 6; label += 1) {
      ask(label);
    }
    await clock.advance(0);
    while (open.length > 0) {
      await open[0]!.fail(new TypeError('broken'));
    }
    expect(ended).toEqual([0, 1, 2, 3, 4, 5].map((label) => `${label} TypeError`));
    ask(6);
    ask(7);
    await clock.advance(0);
    expect(open.map(({ call }) => call.sequence)).toEqual([4, 4]);
  });

  it('frees the channel of a call that could not even be sent', async () => {
    const { pool } = setUp(1);
    for (let round = 0; round < 3; round += 1) {
      const call = pool.call(TERMS, () => {
        throw new TypeError('broken');
      });
      await expect(call).rejects.toThrow('broken');
    }
  });

  it('does not give those that waited for a channel in an outage their whole time again', async () => {
    const { clock, pool } = setUp(1);
    const givenUpAfter: number[] = [];
    const start = clock.now();
    for (let label = 0; label < 20; label += 1) {
      const call = pool.call(TERMS, async () => {
        throw new ConnectionLostError('The store', false);
      });
      call.catch(() => givenUpAfter.push(clock.now() - start));
    }
    await clock.advance(5_000);
    expect(givenUpAfter).toHaveLength(20);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not let those that wait for a channel wait longer than their time', async () => {
    const { clock, open, ended, ask } = setUp(1);
    [0, 1, 2].forEach(ask);
    await clock.advance(4_999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended.sort()).toEqual(['0 OutcomeUnknownError', '1 ConnectionLostError', '2 ConnectionLostError']);
    expect(open).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
    ask(3);
    await clock.advance(0);
    expect(open[1]!.call.sequence).toBe(2);
  });

  it('lets those that wait for a channel go when their signal is aborted, and nobody else', async () => {
    const { clock, pool, open, ended, ask } = setUp(1);
    const controller = new AbortController();
    ask(0);
    const terms = { ...TERMS, signal: controller.signal };
    const refused = pool.call(terms, async () => ({ now: 0 })).catch((error: unknown) => error);
    ask(1);
    await clock.advance(0);
    controller.abort();
    expect(await refused).toBeInstanceOf(ConnectionLostError);
    await open[0]!.reply();
    await open[0]!.reply();
    expect(ended).toEqual(['0 done', '1 done']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not lose a channel that is handed over in the moment of an abort', async () => {
    const { clock, pool, open, ended, ask } = setUp(1);
    const controller = new AbortController();
    ask(0);
    const waiting = pool.call({ ...TERMS, signal: controller.signal }, async () => ({ now: 0 }));
    await clock.advance(0);
    const ending = open[0]!.reply();
    controller.abort();
    await Promise.allSettled([waiting, ending]);
    ask(1);
    await clock.advance(0);
    await open[0]!.reply();
    expect(ended).toEqual(['0 done', '1 done']);
  });

  it('keeps each channel serial and its numbers rising, whatever happens', async () => {
    const random = new SeededRandom();
    const { clock, open, order, ended, ask } = setUp(4);
    const lastOf = new Map<string, number>();
    let asked = 0;
    for (let step = 0; step < 600; step += 1) {
      const before = new Set(open);
      if (random.next() < 0.55 && asked < 250) {
        ask(asked);
        asked += 1;
        await clock.advance(0);
      } else if (open.length > 0) {
        const sent = open[random.integer(0, open.length - 1)]!;
        await (random.next() < 0.8 ? sent.reply() : sent.fail(new TypeError('broken')));
      }
      const channels = open.map(({ call }) => call.channel);
      expect({ seed: random.seed, shared: channels.length - new Set(channels).size }).toEqual({
        seed: random.seed,
        shared: 0,
      });
      for (const { call } of open.filter((sent) => !before.has(sent))) {
        const expected = (lastOf.get(call.channel) ?? 0) + 1;
        lastOf.set(call.channel, expected);
        expect({ seed: random.seed, sequence: call.sequence }).toEqual({
          seed: random.seed,
          sequence: expected,
        });
      }
    }
    while (open.length > 0) {
      await open[0]!.reply();
    }
    expect(order).toEqual(Array.from({ length: asked }, (_, label) => label));
    expect(ended).toHaveLength(asked);
  });
});
