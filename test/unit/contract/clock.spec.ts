import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { systemClock } from '../../../lib/contract/clock';
import { guardAgainstLeaks } from '../../support/leak-guard';

guardAgainstLeaks();

afterEach(() => {
  jest.restoreAllMocks();
});

/** Takes the timers of the platform away, and notes how they were set. */
function noteTimers(): { millis: number | undefined; unref: ReturnType<typeof jest.fn>; fire: () => void }[] {
  const timers: ReturnType<typeof noteTimers> = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, millis?: number) => {
    const timer = { millis, unref: jest.fn(), fire: callback };
    timers.push(timer);
    return timer;
  }) as unknown as typeof setTimeout);
  return timers;
}

describe('systemClock', () => {
  it('tells the time of the machine', () => {
    jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_123);
    expect(systemClock.now()).toBe(1_700_000_000_123);
  });

  it.each([
    [1500, 1500],
    [0.3, 1],
    [1.2, 2],
    [0, 1],
    [-5, 1],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, 2_147_483_647],
    [Infinity, 2_147_483_647],
  ])('T-B30 waits %p ms with a timer of %p ms: never too short, never for ever', (millis, timer) => {
    const timers = noteTimers();
    systemClock.setTimer(millis, () => undefined);
    expect(timers.map((each) => each.millis)).toEqual([timer]);
  });

  it('waits for longer than a timer can hold with one after the other, and takes the present one back', () => {
    const timers = noteTimers();
    const cleared = jest.spyOn(globalThis, 'clearTimeout').mockImplementation(() => undefined);
    const callback = jest.fn();
    const cancel = systemClock.setTimer(2_147_483_647 + 500, callback, false);
    timers[0]!.fire();
    expect(timers.map((each) => each.millis)).toEqual([2_147_483_647, 500]);
    expect(timers[1]!.unref).toHaveBeenCalledTimes(1);
    expect(callback).not.toHaveBeenCalled();
    cancel();
    expect(cleared.mock.lastCall?.[0]).toBe(timers[1]);
    timers[1]!.fire();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('calls back when the timer does', () => {
    const timers = noteTimers();
    const callback = jest.fn();
    systemClock.setTimer(10, callback);
    expect(callback).not.toHaveBeenCalled();
    timers[0]!.fire();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('keeps the process alive unless it is told not to', () => {
    const timers = noteTimers();
    systemClock.setTimer(10, () => undefined);
    systemClock.setTimer(10, () => undefined, true);
    systemClock.setTimer(10, () => undefined, false);
    expect(timers.map((timer) => timer.unref.mock.calls.length)).toEqual([0, 0, 1]);
  });

  it('takes a timer back', () => {
    const cancel = systemClock.setTimer(60_000, () => undefined);
    cancel();
    // The leak guard sees whether it is gone; taking it back again does no harm.
    cancel();
  });
});
