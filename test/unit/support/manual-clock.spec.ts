import { beforeEach, describe, expect, it } from '@jest/globals';

import { ManualClock } from '../../support/manual-clock';

describe('a manual clock', () => {
  let clock: ManualClock;
  let fired: string[];

  beforeEach(() => {
    clock = new ManualClock(1_000);
    fired = [];
  });

  function setTimer(millis: number, name: string): () => void {
    return clock.setTimer(millis, () => fired.push(`${name} at ${clock.now()}`));
  }

  it('stands still until it is moved', async () => {
    setTimer(10, 'a');
    await new Promise((resolve) => setImmediate(resolve));

    expect(clock.now()).toBe(1_000);
    expect(fired).toEqual([]);
    expect(clock.pendingTimers).toBe(1);
  });

  it('fires timers in the order of their times, equals as they were set, each at its own time', async () => {
    setTimer(30, 'late');
    setTimer(10, 'first');
    setTimer(10, 'second');
    setTimer(31, 'later');
    await clock.advance(30);

    expect(fired).toEqual(['first at 1010', 'second at 1010', 'late at 1030']);
    expect(clock.now()).toBe(1_030);
    expect(clock.pendingTimers).toBe(1);
  });

  it('fires timers on the way that other timers set, also after many microtasks', async () => {
    clock.setTimer(10, () => {
      void (async () => {
        for (let turn = 0; turn < 50; turn += 1) {
          await Promise.resolve();
        }
        setTimer(5, 'inner');
      })();
    });
    await clock.advance(20);

    expect(fired).toEqual(['inner at 1015']);
    expect(clock.now()).toBe(1_020);
  });

  it('lets what is under way set its timers before it moves', async () => {
    void Promise.resolve().then(() => setTimer(10, 'a'));
    await clock.advance(10);

    expect(fired).toEqual(['a at 1010']);
  });

  it('does not fire a timer that was taken back', async () => {
    const cancel = setTimer(10, 'a');
    cancel();
    await clock.advance(20);
    cancel();

    expect(fired).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('can be set back, and fires timers no earlier for it', async () => {
    setTimer(10, 'a');
    clock.set(500);
    await clock.advance(509);
    expect([clock.now(), fired]).toEqual([1_009, []]);
    await clock.advance(1);

    expect(fired).toEqual(['a at 1010']);
  });

  it('takes what is around it along: to each time before its timers fire, and to rest after them', async () => {
    const log: string[] = [];
    clock = new ManualClock(1_000, {
      reach: async (now) => void log.push(`reach ${now}`),
      comeToRest: async () => void log.push('rest'),
    });
    clock.setTimer(10, () => log.push('timer'));
    await clock.advance(20);

    expect(log).toEqual(['rest', 'reach 1010', 'timer', 'rest', 'reach 1020']);
  });

  it('does not fire a timer that is taken back while the time is reached', async () => {
    let cancel = (): void => {};
    clock = new ManualClock(1_000, {
      reach: async () => cancel(),
      comeToRest: () => Promise.resolve(),
    });
    cancel = setTimer(10, 'a');
    setTimer(20, 'b');
    await clock.advance(10);

    expect([clock.now(), fired]).toEqual([1_010, []]);
  });
});
