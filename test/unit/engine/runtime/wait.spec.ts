import { getEventListeners } from 'node:events';

import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../../../lib/contract/clock';
import { endsWithin, unlessAborted, wait } from '../../../../lib/engine/runtime/wait';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { ManualClock } from '../../../support/manual-clock';

guardAgainstLeaks();

/** Notes what a promise came to, once it did. */
function outcomeOf<T>(promise: Promise<T>): { value?: T } {
  const outcome: { value?: T } = {};
  void promise.then((value) => (outcome.value = value));
  return outcome;
}

describe('wait', () => {
  it('is over when the time has passed, and not before', async () => {
    const clock = new ManualClock();
    const outcome = outcomeOf(wait(clock, 100));
    await clock.advance(99);
    expect(outcome).toEqual({});
    await clock.advance(1);
    expect(outcome).toEqual({ value: true });
  });

  it('ends with the signal, and leaves neither timer nor listener', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = wait(clock, 100, controller.signal);
    expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort').length]).toEqual([1, 1]);
    controller.abort();
    expect(await waiting).toBe(false);
    expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0]);
  });

  it('leaves no listener on a signal that goes on, however often it waits', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    for (let round = 0; round < 50; round += 1) {
      const waiting = wait(clock, 10, signal);
      await clock.advance(10);
      expect(await waiting).toBe(true);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }
  });

  it('does not even begin when the signal is aborted already', async () => {
    const clock = new ManualClock();
    expect(await wait(clock, 100, AbortSignal.abort())).toBe(false);
    expect(clock.pendingTimers).toBe(0);
  });

  it('takes the signal that comes with the time for one or the other', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const waiting = wait(clock, 100, controller.signal);
    await clock.advance(100);
    controller.abort();
    expect(await waiting).toBe(true);
  });
});

describe('endsWithin', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['well', () => Promise.resolve('value')],
    ['badly', () => Promise.reject(new Error('broken'))],
  ])('is true for a promise that ended %s already, even with no time at all', async (_, make) => {
    const clock = new ManualClock();
    expect(await endsWithin(clock, make(), 0)).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('is true for a promise that ends in time, and takes its timer back', async () => {
    const clock = new ManualClock();
    let end: () => void = () => undefined;
    const within = endsWithin(clock, new Promise<void>((resolve) => (end = resolve)), 100);
    await clock.advance(99);
    end();
    expect(await within).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('is false when the time is over, and bears a later rejection', async () => {
    const clock = new ManualClock();
    let fail: (error: Error) => void = () => undefined;
    const within = endsWithin(clock, new Promise<void>((_, reject) => (fail = reject)), 100);
    const outcome = outcomeOf(within);
    await clock.advance(99);
    expect(outcome).toEqual({});
    await clock.advance(1);
    expect(outcome).toEqual({ value: false });
    fail(new Error('too late'));
    await clock.advance(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('waits for ever without a timer when told to', async () => {
    const clock = new ManualClock();
    let end: () => void = () => undefined;
    const within = endsWithin(clock, new Promise<void>((resolve) => (end = resolve)), Infinity);
    const outcome = outcomeOf(within);
    await clock.advance(1e12);
    expect([outcome, clock.pendingTimers]).toEqual([{}, 0]);
    end();
    expect(await within).toBe(true);
    expect(await endsWithin(clock, Promise.reject(new Error('broken')), Infinity)).toBe(true);
  });

  it('leaves no timer of the platform behind', async () => {
    // The leak guard of this file looks.
    expect(await endsWithin(systemClock, Promise.resolve(), 60_000)).toBe(true);
    expect(await wait(systemClock, 60_000, AbortSignal.abort())).toBe(false);
    const controller = new AbortController();
    const waiting = wait(systemClock, 60_000, controller.signal);
    controller.abort();
    expect(await waiting).toBe(false);
  });
});

describe('unlessAborted', () => {
  it('gives what the promise gives, and leaves no listener', async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(Promise.resolve('here'), signal)).resolves.toBe('here');
    await expect(unlessAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ends with the reason of the signal, now or later', async () => {
    const reason = new Error('stopped');
    const controller = new AbortController();
    const waiting = unlessAborted(new Promise(() => undefined), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(unlessAborted(new Promise(() => undefined), controller.signal)).rejects.toBe(reason);
  });
});
