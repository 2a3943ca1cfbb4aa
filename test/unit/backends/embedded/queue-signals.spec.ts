import { beforeEach, describe, expect, it } from '@jest/globals';

import type { EmbeddedQueue } from '../../../../lib/backends/embedded/embedded-queue';
import { EmbeddedMachine } from '../../../../lib/backends/embedded/machine';
import { MemoryStore } from '../../../../lib/backends/memory/memory-store';
import { systemClock, type Clock } from '../../../../lib/contract/clock';
import { openResources } from '../../../support/leak-guard';
import { ManualClock } from '../../../support/manual-clock';

const BLOCK = 1_000_000;

/** Notes the lengths of timers, and ends the next one for a due job early if told to. */
class NotingClock extends ManualClock implements Clock {
  readonly lengths: number[] = [];
  early = 0;

  override setTimer(millis: number, callback: () => void): () => void {
    this.lengths.push(millis);
    if (millis < BLOCK) {
      millis -= this.early;
      this.early = 0;
    }
    return super.setTimer(millis, callback);
  }
}

describe('the signals of an embedded queue', () => {
  let clock: NotingClock;
  let queue: EmbeddedQueue;
  let sequence = 0;

  beforeEach(() => {
    clock = new NotingClock();
    queue = new EmbeddedMachine(new MemoryStore(), clock).openQueue({ queueName: 'q', role: 'worker' });
  });

  function nextCall() {
    sequence += 1;
    return { caller: queue.caller, channel: 'c0', sequence, notAfter: Infinity };
  }

  async function add(delay: number): Promise<void> {
    const job = { id: null, name: 'work', data: '', options: '', priority: 0, delay, lifo: false };
    await queue.addJobs({ jobs: [job] }, nextCall());
  }

  function wait(signal = new AbortController().signal): Promise<boolean> {
    return queue.waitForWork({ block: BLOCK, signal });
  }

  it('set one timer for the next due job, whoever waits and whatever is added after it', async () => {
    await add(500);
    const waits = [wait(), wait(), wait()];
    await add(700);
    await add(500);
    expect(clock.lengths).toEqual([BLOCK, 500, BLOCK, BLOCK]);
    await add(300);
    expect(clock.lengths.slice(4)).toEqual([300]);
    expect(clock.pendingTimers).toBe(4);
    await clock.advance(300);

    expect(await Promise.all(waits)).toEqual([true, true, true]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('T-B30 never set a timer of no or negative length', async () => {
    await add(1);
    clock.set(clock.now() + 0.7);
    const nearlyDue = wait();
    await clock.advance(1);
    expect(await nearlyDue).toBe(true);
    clock.set(clock.now() + 5);

    expect(await wait()).toBe(true);
    expect(Math.min(...clock.lengths)).toBeGreaterThanOrEqual(1);
  });

  it('look again when a timer ends before the job is due', async () => {
    await add(100);
    clock.early = 40;
    const woken = wait();
    await clock.advance(60);
    expect(clock.lengths).toEqual([BLOCK, 100, 40]);
    await clock.advance(40);

    expect(await woken).toBe(true);
  });

  it('neither wake nor time anybody while the queue is paused', async () => {
    await queue.pause(nextCall());
    await add(0);
    await add(10);
    const waiting = new AbortController();
    const woken = wait(waiting.signal);
    await add(0);
    await add(5);
    await clock.advance(100);

    expect(clock.lengths).toEqual([BLOCK]);
    waiting.abort();
    expect(await woken).toBe(false);
  });

  it('wake nobody for work that the step itself has taken', async () => {
    await add(100);
    await add(200);
    const waiting = new AbortController();
    clock.set(clock.now() + 150);
    const claimed = { count: 5, leaseDuration: 1_000, workerName: null };
    const { claim } = await queue.claimJobs(claimed, nextCall());
    const woken = wait(waiting.signal);
    const { token } = claim;
    const retry = { kind: 'retry', reason: '', stacktrace: '[]', delay: 0, lifo: false } as const;
    await queue.settleJobs({ outcomes: [{ ...retry, id: '1', token }], claim: claimed }, nextCall());
    await clock.advance(10);
    waiting.abort();

    expect(await woken).toBe(false);
  });

  it('keep nothing of ten thousand waits, however they ended', async () => {
    const results: boolean[] = [];
    for (let round = 0; round < 2_500; round += 1) {
      const aborted = new AbortController();
      const waits = [wait(), wait(aborted.signal), wait()];
      const timedOut = queue.waitForWork({ block: 1, signal: new AbortController().signal });
      aborted.abort();
      if (round % 500 === 0) {
        await clock.advance(1);
      }
      await add(0);
      results.push(...(await Promise.all([...waits, timedOut])));
      await queue.claimJobs({ count: 1, leaseDuration: 1, workerName: null }, nextCall());
    }

    expect(results.filter((woken) => !woken)).toHaveLength(2_500 + 5);
    expect(clock.pendingTimers).toBe(0);
  });

  it('end a read of events with what came, and read on when it was something else that woke it', async () => {
    const last = `${clock.now() + 50}-0`;
    const events = queue.readEvents({ after: last, limit: 10, block: 100 });
    await queue.pause(nextCall());
    await clock.advance(60);
    await queue.resume(nextCall());

    expect((await events).events.map(({ event }) => event)).toEqual(['resumed']);
  });
  it('keep the process alive for a worker that waits, not for a listener', async () => {
    const real = new EmbeddedMachine(new MemoryStore(), systemClock).openQueue({
      queueName: 'q',
      role: 'worker',
    });
    const timers = (): number => openResources().get('Timeout') ?? 0;
    const before = timers();
    const listening = real.readEvents({ after: '0-0', limit: 1, block: BLOCK });
    expect(timers()).toBe(before);
    const waiting = real.waitForWork({ block: BLOCK, signal: new AbortController().signal });
    expect(timers()).toBe(before + 1);

    await real.close();

    expect(await listening).toEqual({ events: [], hasGap: false });
    expect(await waiting).toBe(false);
  });
});
