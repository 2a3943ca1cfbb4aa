import { getEventListeners } from 'node:events';

import { describe, expect, it, jest } from '@jest/globals';

import type { MutatingCall, Reply } from '../../../../lib/contract/mutating-call';
import type { QueueBackend } from '../../../../lib/contract/queue-backend';
import { CallChannel, type CallTerms } from '../../../../lib/engine/runtime/call-channel';
import { StoreTime } from '../../../../lib/engine/runtime/store-time';
import { CallExpiredError } from '../../../../lib/model/errors/call-expired.error';
import { ConnectionLostError } from '../../../../lib/model/errors/connection-lost.error';
import { OutcomeUnknownError } from '../../../../lib/model/errors/outcome-unknown.error';
import { StaleCallError } from '../../../../lib/model/errors/stale-call.error';
import { StoreFullError } from '../../../../lib/model/errors/store-full.error';
import { StoreReadOnlyError } from '../../../../lib/model/errors/store-read-only.error';
import { StoreUnavailableError } from '../../../../lib/model/errors/store-unavailable.error';
import { ManualClock } from '../../../support/manual-clock';

const CALLER = '0123456789abcdef0123456789abcdef';
const HOUR = 3_600_000;

/** What the store does with one sending: a `lost-reply` ran. */
type Turn = 'reply' | 'lost-request' | 'lost-reply' | 'expired' | Error;

const ONCE: CallTerms = { name: 'add', validFor: 5_000, reissue: 'once' };
const UNTIL_STOPPED: CallTerms = { name: 'settleJobs', validFor: 5_000, reissue: 'until-stopped' };

function setUp({ ahead = 0, clock = new ManualClock() } = {}) {
  const store = {
    caller: CALLER,
    queueName: 'email',
    ahead,
    now: () => clock.now() + store.ahead,
    time: jest.fn(async () => store.now()),
  };
  const backend = store as unknown as QueueBackend;
  const time = new StoreTime(backend, clock);
  const channel = new CallChannel(backend, 'a3', time, clock);
  const calls: MutatingCall[] = [];
  /** Sends by a script; what comes after its end goes as its last turn did. */
  const by = (...turns: Turn[]) => {
    let next = 0;
    return async (call: MutatingCall): Promise<Reply & { sent: number }> => {
      calls.push(call);
      const turn = turns[Math.min(next, turns.length - 1)]!;
      next += 1;
      switch (turn) {
        case 'reply':
          return { now: store.now(), sent: calls.length };
        case 'lost-request':
          throw new ConnectionLostError('The store', false);
        case 'lost-reply':
          throw new ConnectionLostError('The store', true);
        case 'expired':
          throw new CallExpiredError(call.channel, 1);
        default:
          throw turn;
      }
    };
  };
  const sequences = () => calls.map((call) => call.sequence);
  return { clock, store, time, channel, calls, by, sequences };
}

/** Follows a call without awaiting it. */
function follow<T>(promise: Promise<T>): { state: string; value?: T; error?: unknown } {
  const followed: { state: string; value?: T; error?: unknown } = { state: 'pending' };
  promise.then(
    (value) => Object.assign(followed, { state: 'resolved', value }),
    (error: unknown) => Object.assign(followed, { state: 'rejected', error }),
  );
  return followed;
}

describe('CallChannel', () => {
  it('numbers its calls upwards from 1, in the name of its caller and channel', async () => {
    const { clock, channel, calls, by } = setUp();
    for (let round = 0; round < 3; round += 1) {
      await channel.call(ONCE, by('reply'));
    }
    expect(calls).toEqual(
      [1, 2, 3].map((sequence) => ({
        caller: CALLER,
        channel: 'a3',
        sequence,
        notAfter: clock.now() + 5_000,
      })),
    );
  });

  it('returns the reply', async () => {
    const { channel, by, store } = setUp();
    await expect(channel.call(ONCE, by('reply'))).resolves.toEqual({ now: store.now(), sent: 1 });
  });

  it.each([0, HOUR, -HOUR])('sets the deadline in the time of a store that is %p ms ahead', async (ahead) => {
    const { clock, store, channel, calls, by } = setUp({ ahead });
    await channel.call(ONCE, by('reply'));
    await clock.advance(10_000);
    await channel.call({ ...ONCE, validFor: 700 }, by('reply'));
    expect(calls.map((call) => call.notAfter)).toEqual([store.now() - 10_000 + 5_000, store.now() + 700]);
    expect(store.time).toHaveBeenCalledTimes(1);
  });

  it('keeps to the time of the store by its replies', async () => {
    const { clock, store, channel, calls, by } = setUp();
    await channel.call(ONCE, by('reply'));
    for (const change of [HOUR, -1_000]) {
      store.ahead += change;
      // That the call was asked for long before it was sent tells nothing about the store's time.
      await channel.call(ONCE, by('reply'), clock.now() - 4_000);
      await channel.call(ONCE, by('reply'));
      expect(calls.at(-1)!.notAfter).toBe(store.now() + 5_000);
    }
    expect(store.time).toHaveBeenCalledTimes(1);
  });

  it('passes on what the store says, without asking twice, and goes on with the next number', async () => {
    const { clock, channel, by, sequences } = setUp();
    for (const error of [new StaleCallError('a3', 1), new TypeError('broken'), new Error('READONLY')]) {
      await expect(channel.call(UNTIL_STOPPED, by(error))).rejects.toBe(error);
    }
    await channel.call(ONCE, by('reply'));
    expect(sequences()).toEqual([1, 2, 3, 4]);
    expect(clock.pendingTimers).toBe(0);
  });

  describe('after a lost reply', () => {
    it('repeats the call under the same number, with the same deadline', async () => {
      const { clock, channel, calls, by } = setUp();
      const call = follow(channel.call(ONCE, by('lost-reply', 'lost-request', 'reply')));
      await clock.advance(1_000);
      expect(call).toMatchObject({ state: 'resolved', value: { sent: 3 } });
      expect(calls[1]).toEqual(calls[0]);
      expect(calls[2]).toEqual(calls[0]);
      await channel.call(ONCE, by('reply'));
      expect(calls[3]!.sequence).toBe(2);
    });

    it('waits longer each time, but no longer than a second', async () => {
      const { clock, channel, by, calls } = setUp();
      const controller = new AbortController();
      const start = clock.now();
      const sentAfter: number[] = [];
      const send = by('lost-reply');
      void channel
        .call({ ...UNTIL_STOPPED, validFor: HOUR, signal: controller.signal }, (call) => {
          sentAfter.push(clock.now() - start);
          return send(call);
        })
        .catch(() => undefined);
      await clock.advance(4_600);
      expect(sentAfter).toEqual([0, 50, 150, 350, 750, 1_550, 2_550, 3_550, 4_550]);
      expect(new Set(calls.map((call) => call.sequence)).size).toBe(1);
      controller.abort();
      await clock.advance(0);
      expect(clock.pendingTimers).toBe(0);
    });

    it('tells of every connection error that it waits out', async () => {
      const { clock, channel, by } = setUp();
      const onStoreError = jest.fn();
      const call = follow(channel.call({ ...ONCE, onStoreError }, by('lost-request', 'lost-reply', 'reply')));
      await clock.advance(1_000);
      expect(call.state).toBe('resolved');
      expect(onStoreError.mock.calls.map(([error]) => (error as ConnectionLostError).requestSent)).toEqual([
        false,
        true,
      ]);
    });

    it('is not led to think the store behind by a reply from before the outage', async () => {
      const { clock, store, channel, calls, by } = setUp();
      const ranAt = store.now();
      let sendings = 0;
      const call = follow(
        channel.call({ ...UNTIL_STOPPED, validFor: 30_000 }, async () => {
          sendings += 1;
          if (sendings < 20) {
            throw new ConnectionLostError('The store', true);
          }
          return { now: ranAt };
        }),
      );
      await clock.advance(29_000);
      expect(call.state).toBe('resolved');
      await channel.call(ONCE, by('reply'));
      expect(calls[0]!.notAfter).toBe(store.now() + 5_000);
    });
  });

  describe('when it gives up at its deadline', () => {
    it.each<[string, Turn[]]>([
      ['the only', ['lost-reply']],
      ['the first of several', ['lost-reply', 'lost-request']],
      ['the last of several', ['lost-request', 'lost-request', 'lost-request', 'lost-reply']],
    ])('does not know the outcome once %s sending may have arrived', async (_, turns) => {
      const { clock, channel, by } = setUp();
      const call = follow(channel.call(ONCE, by(...turns)));
      await clock.advance(5_000);
      expect(call.state).toBe('rejected');
      expect(call.error).toBeInstanceOf(OutcomeUnknownError);
      expect(call.error).toMatchObject({ call: 'add', cause: expect.any(ConnectionLostError) });
      expect(clock.pendingTimers).toBe(0);
    });

    it('says that the connection is lost when no sending has arrived', async () => {
      const { clock, channel, by } = setUp();
      const call = follow(channel.call(ONCE, by('lost-request')));
      await clock.advance(5_000);
      expect(call.error).toBeInstanceOf(ConnectionLostError);
    });

    it('does not let the lost reply to the question for the time make the outcome unknown', async () => {
      const { clock, store, channel, calls, by } = setUp();
      store.time.mockRejectedValue(new ConnectionLostError('The store', true));
      const call = follow(channel.call(ONCE, by('reply')));
      await clock.advance(5_000);
      expect(call.error).toBeInstanceOf(ConnectionLostError);
      expect(calls).toEqual([]);
    });

    it('has repeated the call until then, and no longer', async () => {
      const { clock, channel, calls, by } = setUp();
      const call = follow(channel.call(ONCE, by('lost-reply')));
      await clock.advance(4_500);
      expect(call.state).toBe('pending');
      await clock.advance(499);
      expect(call.state).toBe('rejected');
      const { length } = calls;
      await clock.advance(60_000);
      expect(calls).toHaveLength(length);
    });

    it('leaves the number behind, so that what is still on its way is refused', async () => {
      const { clock, channel, by, sequences } = setUp();
      const call = follow(channel.call({ ...ONCE, validFor: 40 }, by('lost-reply')));
      await clock.advance(0);
      expect(call.state).toBe('rejected');
      await channel.call(ONCE, by('reply'));
      expect(sequences()).toEqual([1, 2]);
    });

    it('counts the time from when the call was asked for', async () => {
      const { clock, channel, calls, by } = setUp();
      const call = follow(channel.call(ONCE, by('lost-request'), clock.now() - 4_980));
      await clock.advance(0);
      expect(call.error).toBeInstanceOf(ConnectionLostError);
      expect(calls).toHaveLength(1);
    });
  });

  describe('after a refusal for lateness', () => {
    it('makes the call again under a new number and with a new deadline', async () => {
      const { clock, channel, calls, by } = setUp();
      const controller = new AbortController();
      const send = by('lost-reply', 'lost-reply', 'lost-reply', 'expired', 'reply');
      const call = follow(channel.call({ ...UNTIL_STOPPED, signal: controller.signal }, send));
      await clock.advance(10_000);
      expect(call).toMatchObject({ state: 'resolved', value: { sent: 5 } });
      expect(calls.map(({ sequence }) => sequence)).toEqual([1, 1, 1, 1, 2]);
      expect(calls[4]!.notAfter).toBe(calls[0]!.notAfter + 350);
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    });

    it.each([ONCE, UNTIL_STOPPED])(
      'asks the store for its time, which may not be what it seemed: %p',
      async (terms) => {
        const { store, channel, calls, by } = setUp();
        await channel.call(terms, by('reply'));
        store.ahead = HOUR;
        await channel.call(terms, by('expired', 'reply'));
        expect(calls.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
        expect(calls[2]!.notAfter).toBe(store.now() + 5_000);
        expect(store.time).toHaveBeenCalledTimes(2);
      },
    );

    it('does not make a store that refuses everything run hot', async () => {
      const { clock, channel, calls, by } = setUp();
      const controller = new AbortController();
      const call = follow(channel.call({ ...UNTIL_STOPPED, signal: controller.signal }, by('expired')));
      await clock.advance(10_000);
      expect(call.state).toBe('pending');
      expect(calls.length).toBeLessThan(20);
      expect(new Set(calls.map(({ sequence }) => sequence)).size).toBe(calls.length);
      controller.abort();
      await clock.advance(0);
      expect(call.error).toBeInstanceOf(CallExpiredError);
    });

    it('begins with short waits again', async () => {
      const { clock, channel, calls, by } = setUp();
      const turns: Turn[] = [...Array<Turn>(10).fill('lost-request'), 'expired', 'lost-request', 'reply'];
      const call = follow(channel.call(UNTIL_STOPPED, by(...turns)));
      await clock.advance(50 + 100 + 200 + 400 + 800 + 5 * 1_000);
      expect(calls).toHaveLength(12);
      await clock.advance(50);
      expect(call.state).toBe('resolved');
    });

    it('gives up at its deadline, and knows that nothing happened', async () => {
      const { clock, channel, by } = setUp();
      const call = follow(channel.call(ONCE, by('lost-reply', 'expired')));
      await clock.advance(5_000);
      expect(call.error).toBeInstanceOf(CallExpiredError);
      expect(clock.pendingTimers).toBe(0);
    });

    it('does not know the outcome when the reply to the new number is lost', async () => {
      const { clock, channel, by } = setUp();
      const call = follow(channel.call(ONCE, by('expired', 'lost-reply')));
      await clock.advance(5_000);
      expect(call.error).toBeInstanceOf(OutcomeUnknownError);
    });

    it('knows that the new number did not run when it was never sent', async () => {
      const { clock, channel, by } = setUp();
      const call = follow(channel.call(ONCE, by('lost-reply', 'expired', 'lost-request')));
      await clock.advance(5_000);
      expect(call.error).toBeInstanceOf(ConnectionLostError);
    });
  });

  describe('when it is stopped', () => {
    it.each<[Turn, new (...args: never[]) => Error]>([
      ['lost-reply', OutcomeUnknownError],
      ['lost-request', ConnectionLostError],
    ])('ends the wait after a %s', async (turn, Type) => {
      const { clock, channel, calls, by } = setUp();
      const controller = new AbortController();
      const terms = { ...UNTIL_STOPPED, signal: controller.signal };
      const call = follow(channel.call(terms, by(turn)));
      await clock.advance(10);
      expect(call.state).toBe('pending');
      controller.abort();
      await clock.advance(0);
      expect(call.error).toBeInstanceOf(Type);
      expect(calls).toHaveLength(1);
      expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0]);
    });

    it('lets the sending that is on its way come to its end', async () => {
      const { clock, store, channel } = setUp();
      const controller = new AbortController();
      let reply: (reply: Reply) => void = () => undefined;
      const call = follow(
        channel.call(
          { ...UNTIL_STOPPED, signal: controller.signal },
          () => new Promise<Reply>((resolve) => (reply = resolve)),
        ),
      );
      await clock.advance(0);
      controller.abort();
      await clock.advance(0);
      expect(call.state).toBe('pending');
      reply({ now: store.now() });
      await clock.advance(0);
      expect(call.state).toBe('resolved');
    });

    it('sends once more for whoever asks later, and does not repeat it', async () => {
      const { channel, by, calls } = setUp();
      const terms = { ...UNTIL_STOPPED, signal: AbortSignal.abort() };
      await channel.call(terms, by('reply'));
      await expect(channel.call(terms, by('lost-request'))).rejects.toBeInstanceOf(ConnectionLostError);
      await expect(channel.call(terms, by('lost-reply'))).rejects.toBeInstanceOf(OutcomeUnknownError);
      await expect(channel.call(terms, by('expired'))).rejects.toBeInstanceOf(CallExpiredError);
      expect(calls).toHaveLength(4);
    });

    it('leaves no listener on the signal, however many calls it made', async () => {
      const { clock, channel, by } = setUp();
      const { signal } = new AbortController();
      for (let round = 0; round < 20; round += 1) {
        const call = follow(channel.call({ ...UNTIL_STOPPED, signal }, by('lost-reply', 'reply')));
        await clock.advance(50);
        expect(call.state).toBe('resolved');
      }
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });
  });

  describe('when the store does not carry it out', () => {
    const FULL = new StoreFullError('The store');

    it.each([new StoreReadOnlyError('The store'), new StoreUnavailableError('The store', 'LOADING')])(
      'waits out what passes soon, and tells of it: %p',
      async (error) => {
        const { clock, channel, by, sequences } = setUp();
        const onStoreError = jest.fn();
        const call = follow(channel.call({ ...ONCE, onStoreError }, by(error, error, 'reply')));
        await clock.advance(150);
        expect(call.state).toBe('resolved');
        expect(onStoreError.mock.calls).toEqual([[error], [error]]);
        expect(sequences()).toEqual([1, 1, 1]);
      },
    );

    it('knows that nothing happened when it did not pass in time', async () => {
      const { clock, channel, by } = setUp();
      const error = new StoreReadOnlyError('The store');
      const call = follow(channel.call(ONCE, by(error)));
      await clock.advance(5_000);
      expect(call.error).toBe(error);
    });

    it('tells at once of what does not pass soon', async () => {
      const { clock, channel, by, calls } = setUp();
      const onStoreError = jest.fn();
      await expect(channel.call({ ...ONCE, onStoreError }, by(FULL))).rejects.toBe(FULL);
      expect(calls).toHaveLength(1);
      expect(onStoreError).not.toHaveBeenCalled();
      expect(clock.pendingTimers).toBe(0);
    });

    it('goes on trying under the same number where a call is made until it is stopped', async () => {
      const { clock, channel, by, sequences } = setUp();
      const onStoreError = jest.fn();
      const call = follow(
        channel.call({ ...UNTIL_STOPPED, onStoreError }, by('lost-reply', FULL, FULL, 'reply')),
      );
      await clock.advance(350);
      expect(call.state).toBe('resolved');
      expect(sequences()).toEqual([1, 1, 1, 1]);
      expect(onStoreError).toHaveBeenCalledTimes(3);
    });

    it.each([FULL, new TypeError('broken')])(
      'does not know the outcome when a reply was lost before: %p',
      async (error) => {
        const { clock, channel, by } = setUp();
        const call = follow(channel.call(ONCE, by('lost-reply', error)));
        await clock.advance(50);
        expect(call.error).toBeInstanceOf(OutcomeUnknownError);
        expect(call.error).toMatchObject({ call: 'add', cause: error });
      },
    );
  });

  describe('when the store does not answer', () => {
    function unanswered<T>(): {
      promise: Promise<T>;
      resolve: (value: T) => void;
      reject: (e: Error) => void;
    } {
      let resolve: (value: T) => void = () => undefined;
      let reject: (error: Error) => void = () => undefined;
      const promise = new Promise<T>((...ends) => ([resolve, reject] = ends));
      return { promise, resolve, reject };
    }

    it('gives up at its deadline, and does not know the outcome', async () => {
      const { clock, channel } = setUp();
      const call = follow(channel.call(ONCE, () => unanswered<Reply>().promise));
      await clock.advance(4_999);
      expect(call.state).toBe('pending');
      await clock.advance(1);
      expect(call.error).toMatchObject({ call: 'add', cause: { code: 'LANE_CONNECTION_LOST' } });
      expect(call.error).toBeInstanceOf(OutcomeUnknownError);
      expect(clock.pendingTimers).toBe(0);
    });

    it('knows that nothing happened when it was waiting for the time of the store', async () => {
      const { clock, store, channel, calls, by } = setUp();
      store.time.mockReturnValue(unanswered<number>().promise);
      const call = follow(channel.call(ONCE, by('reply')));
      await clock.advance(5_000);
      expect(call.error).toMatchObject({
        code: 'LANE_CONNECTION_LOST',
        message: expect.stringContaining('The store of queue "email" could not be reached.'),
      });
      expect(calls).toEqual([]);
    });

    it('does not take the end of a later sending for its own', async () => {
      const { clock, store, channel, sequences, by } = setUp();
      const late = unanswered<Reply>();
      follow(channel.call(ONCE, () => late.promise));
      await clock.advance(5_000);
      const next = follow(channel.call(ONCE, by('reply')));
      late.reject(new ConnectionLostError('The store', true));
      await clock.advance(0);
      expect(next.value).toEqual({ now: store.now(), sent: 1 });
      expect(sequences()).toEqual([2]);
    });

    it('takes in a reply that came while the event loop was held up', async () => {
      const { clock, store, channel } = setUp();
      const late = unanswered<Reply>();
      // As a socket does, the reply is read after the timers of the turn have fired.
      clock.setTimer(5_000, () => setImmediate(() => late.resolve({ now: store.now() })));
      const call = follow(channel.call(ONCE, () => late.promise));
      await clock.advance(5_000);
      expect(call.state).toBe('resolved');
    });

    it('ends when its signal is aborted', async () => {
      const { clock, channel } = setUp();
      const controller = new AbortController();
      const terms = { ...ONCE, signal: controller.signal };
      const call = follow(channel.call(terms, () => unanswered<Reply>().promise));
      await clock.advance(10);
      controller.abort();
      await clock.advance(0);
      expect(call.error).toBeInstanceOf(OutcomeUnknownError);
      expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0]);
    });

    it('leaves neither a timer nor a listener when it is answered', async () => {
      const { clock, channel, by } = setUp();
      const { signal } = new AbortController();
      await channel.call({ ...ONCE, signal }, by('reply'));
      await channel.call({ ...ONCE, signal }, by(new TypeError('broken'))).catch(() => undefined);
      expect([clock.pendingTimers, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    });
  });

  it('goes on after the time could not be asked for at first', async () => {
    const { clock, store, channel, calls, by } = setUp({ ahead: HOUR });
    store.time.mockRejectedValueOnce(new ConnectionLostError('The store', true));
    const call = follow(channel.call(ONCE, by('reply')));
    await clock.advance(50);
    expect(call.state).toBe('resolved');
    expect(calls[0]).toMatchObject({ sequence: 1, notAfter: store.now() + 5_000 });
  });
});
