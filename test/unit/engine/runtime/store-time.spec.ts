import { describe, expect, it, jest } from '@jest/globals';

import type { QueueBackend } from '../../../../lib/contract/queue-backend';
import { StoreTime } from '../../../../lib/engine/runtime/store-time';
import { ConnectionLostError } from '../../../../lib/model/errors/connection-lost.error';
import { ManualClock } from '../../../support/manual-clock';

const HOUR = 3_600_000;

function setUp(ahead = 0) {
  const clock = new ManualClock();
  const store = {
    ahead,
    now: () => clock.now() + store.ahead,
    time: jest.fn(async () => store.now()),
  };
  return { clock, store, time: new StoreTime(store as unknown as QueueBackend, clock) };
}

describe('StoreTime', () => {
  it.each([0, HOUR, -HOUR, 1500])('follows a store whose clock is %p ms ahead', async (ahead) => {
    const { clock, store, time } = setUp(ahead);
    expect(time.isKnown).toBe(false);
    await time.known();
    expect(time.isKnown).toBe(true);
    expect(time.now()).toBe(store.now());
    await clock.advance(12_345);
    expect(time.now()).toBe(store.now());
  });

  it('asks once, however many want to know', async () => {
    const { store, time } = setUp();
    await Promise.all([time.known(), time.known(), time.known()]);
    await time.known();
    expect(store.time).toHaveBeenCalledTimes(1);
  });

  it('does not ask for what a reply has told', async () => {
    const { clock, store, time } = setUp(HOUR);
    time.observe(store.now(), clock.now());
    await time.known();
    expect(store.time).not.toHaveBeenCalled();
    expect(time.now()).toBe(store.now());
  });

  it('tells all that wait when the store cannot be reached, and asks again later', async () => {
    const { store, time } = setUp();
    const error = new ConnectionLostError('The store', true);
    store.time.mockRejectedValueOnce(error);
    const first = time.known();
    const second = time.known();
    await expect(first).rejects.toBe(error);
    await expect(second).rejects.toBe(error);
    expect(time.isKnown).toBe(false);
    await time.known();
    expect([time.isKnown, store.time.mock.calls.length]).toEqual([true, 2]);
  });

  it('is not led astray by a reply that comes late', async () => {
    const { clock, store, time } = setUp(HOUR);
    await time.known();
    const sentAt = clock.now();
    await clock.advance(10);
    const repliedAt = store.now();
    await clock.advance(30_000);
    time.observe(repliedAt, sentAt);
    expect(time.now()).toBe(store.now());
  });

  it('mends what a late first answer left wrong with the next good reply', async () => {
    const { clock, store, time } = setUp(HOUR);
    store.time.mockImplementationOnce(async () => {
      const now = store.now();
      await clock.advance(4_000);
      return now;
    });
    await time.known();
    // The earlier deadline is the safe side: a call must not take effect once it was given up.
    expect(time.now()).toBe(store.now() - 4_000);
    const sentAt = clock.now();
    await clock.advance(2);
    time.observe(store.now(), sentAt);
    expect(store.now() - time.now()).toBe(0);
  });

  it.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])('follows a clock of this machine that is set %s', async (_, jump) => {
    const { clock, store, time } = setUp();
    await time.known();
    clock.set(clock.now() + jump);
    store.ahead -= jump;
    const sentAt = clock.now();
    await clock.advance(5);
    time.observe(store.now() - 2, sentAt);
    expect(Math.abs(time.now() - store.now())).toBeLessThanOrEqual(5);
  });

  it('takes the present for the truth when the clock was set while a call was on its way', async () => {
    const { clock, store, time } = setUp();
    await time.known();
    const sentAt = clock.now();
    clock.set(clock.now() - HOUR);
    store.ahead += HOUR;
    time.observe(store.now(), sentAt);
    expect(time.now()).toBe(store.now());
  });

  it('asks again for what it was told to forget', async () => {
    const { clock, store, time } = setUp();
    await time.known();
    store.ahead = HOUR;
    time.forget();
    expect([time.isKnown, time.now()]).toEqual([false, clock.now()]);
    await time.known();
    expect([time.now(), store.time.mock.calls.length]).toEqual([store.now(), 2]);
  });
});
