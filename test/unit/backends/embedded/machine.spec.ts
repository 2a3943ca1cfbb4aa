import { beforeEach, describe, expect, it } from '@jest/globals';

import type { EmbeddedQueue } from '../../../../lib/backends/embedded/embedded-queue';
import { EmbeddedMachine } from '../../../../lib/backends/embedded/machine';
import type { Rows, TableName } from '../../../../lib/backends/embedded/store';
import { MemoryStore } from '../../../../lib/backends/memory/memory-store';
import type { NewJob } from '../../../../lib/contract/job-intake';
import { CHANNELS, type MutatingCall } from '../../../../lib/contract/mutating-call';
import { JOB_STATES } from '../../../../lib/model/job-state';
import { KEEP_ALL } from '../../../../lib/model/policy/retention';
import { ManualClock } from '../../../support/manual-clock';

const MINUTE = 60_000;

/** A store whose writes fail when the test wants it. */
class FailingStore extends MemoryStore {
  /** Writes that still succeed. */
  writesLeft = Infinity;

  override put<Table extends TableName>(name: Table, row: Rows[Table]): void {
    this.#count();
    super.put(name, row);
  }

  override append(...event: Parameters<MemoryStore['append']>): void {
    this.#count();
    super.append(...event);
  }

  override delete(...row: Parameters<MemoryStore['delete']>): void {
    this.#count();
    super.delete(...row);
  }

  override deleteRange(...range: Parameters<MemoryStore['deleteRange']>): void {
    this.#count();
    super.deleteRange(...range);
  }

  #count(): void {
    this.writesLeft -= 1;
    if (this.writesLeft < 0) {
      throw new Error('The disk is full.');
    }
  }
}

describe('the embedded machine', () => {
  let clock: ManualClock;
  let store: FailingStore;
  let machine: EmbeddedMachine;
  let queue: EmbeddedQueue;
  let sequence: number;

  beforeEach(() => {
    clock = new ManualClock();
    store = new FailingStore();
    machine = new EmbeddedMachine(store, clock);
    queue = machine.openQueue({ queueName: 'q', role: 'worker' });
    sequence = 0;
  });

  function nextCall(channel: string = CHANNELS.work[0]): MutatingCall {
    sequence += 1;
    return { caller: queue.caller, channel, sequence, notAfter: Infinity };
  }

  async function add(...jobs: Partial<NewJob>[]): Promise<void> {
    const plain = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };
    await queue.addJobs({ jobs: jobs.map((job) => ({ ...plain, ...job })) }, nextCall());
  }

  async function claim(count: number, leaseDuration = 30_000) {
    const reply = await queue.claimJobs({ count, leaseDuration, workerName: null }, nextCall());
    return reply.claim;
  }

  async function complete(ids: readonly string[], token: string): Promise<void> {
    const outcomes = ids.map(
      (id) => ({ kind: 'completed', id, token, returnValue: 'null', retention: KEEP_ALL }) as const,
    );
    await queue.settleJobs({ outcomes, claim: null }, nextCall());
  }

  async function idsOf(state: (typeof JOB_STATES)[number]): Promise<string[]> {
    const jobs = await queue.getPage({ state, offset: 0, limit: null, order: 'ascending' });
    return jobs.map((job) => job.id);
  }

  async function snapshot(): Promise<object> {
    return {
      pages: await Promise.all(
        JOB_STATES.map((state) => queue.getPage({ state, offset: 0, limit: null, order: 'ascending' })),
      ),
      log: await queue.readEvents({ after: '0-0', limit: 1_000, block: 0 }),
      lastEventId: await queue.lastEventId(),
      isPaused: await queue.isPaused(),
      row: store.get('queues', 'q'),
    };
  }

  describe('when a write fails in the middle of a step', () => {
    const steps: Record<string, () => Promise<(call: MutatingCall) => Promise<unknown>>> = {
      'of adding': async () => {
        const job = { id: null, name: 'work', data: '', options: '', priority: 0, delay: 0, lifo: false };
        const jobs = [job, { ...job, id: 'a' }, { ...job, delay: 5 }, { ...job, priority: 2 }];
        return (call) => queue.addJobs({ jobs }, call);
      },
      'of claiming': async () => {
        await add({}, { delay: 5 }, {});
        await clock.advance(5);
        return (call) => queue.claimJobs({ count: 2, leaseDuration: 100, workerName: 'w' }, call);
      },
      'of settling': async () => {
        await add({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' }, { id: 'f' });
        const { token } = await claim(5);
        await complete(['e'], token);
        const retention = { count: 1, age: null, limit: 10 };
        return (call) =>
          queue.settleJobs(
            {
              outcomes: [
                { kind: 'completed', id: 'a', token, returnValue: '1', retention },
                {
                  kind: 'failed',
                  id: 'b',
                  token,
                  reason: '',
                  code: null,
                  stacktrace: '',
                  attempts: 1,
                  retention,
                },
                { kind: 'retry', id: 'c', token, reason: '', stacktrace: '', delay: 5, lifo: false },
                { kind: 'handed-back', id: 'd', token },
              ],
              claim: { count: 1, leaseDuration: 100, workerName: null },
            },
            call,
          );
      },
      'of renewing': async () => {
        await add({ id: 'a' }, { id: 'b' });
        const { token } = await claim(2);
        const leases = ['a', 'b'].map((id) => ({ id, token }));
        return (call) => queue.renewLeases({ leases, leaseDuration: 50 }, call);
      },
      'of recovering': async () => {
        await add({ id: 'a' }, { id: 'b' });
        await claim(2, 10);
        await queue.recoverAbandonedJobs({ sweepInterval: 10, maxStalledCount: 0 }, nextCall());
        await clock.advance(10);
        return (call) => queue.recoverAbandonedJobs({ sweepInterval: 10, maxStalledCount: 0 }, call);
      },
      'of pausing': async () => (call) => queue.pause(call),
    };

    it.each(Object.keys(steps))(
      'STORE-10 %s, nothing has changed, and the call can be made again',
      async (name) => {
        const act = await steps[name]!();
        const before = await snapshot();
        const call = nextCall();
        const failureAfter = async (writes: number): Promise<string | undefined> => {
          store.writesLeft = writes;
          return act(call).then(
            () => undefined,
            (error: unknown) => String(error),
          );
        };
        let failures = 0;
        while ((await failureAfter(failures)) === 'Error: The disk is full.') {
          expect(await snapshot()).toEqual(before);
          failures += 1;
        }

        expect(failures).toBeGreaterThan(2);
        expect(await snapshot()).not.toEqual(before);
      },
    );

    it('wakes nobody', async () => {
      const waiting = new AbortController();
      const woken = queue.waitForWork({ block: 1_000, signal: waiting.signal });
      store.writesLeft = 2;
      await expect(add({})).rejects.toThrow('The disk is full.');
      await clock.advance(1);
      waiting.abort();

      expect(await woken).toBe(false);
    });
  });

  describe('when the clock is put back', () => {
    it('goes on counting event ids upwards', async () => {
      await add({});
      const before = await queue.lastEventId();
      clock.set(clock.now() - 86_400_000);
      await add({});
      const { events: after } = await queue.readEvents({ after: before, limit: 10, block: 0 });

      expect(after.map(({ event }) => event)).toEqual(['added', 'waiting']);
      const [millis] = before.split('-');
      expect(after.map(({ id }) => id)).toEqual([`${millis}-2`, `${millis}-3`]);
    });

    it('keeps finished jobs in the order of finishing, and their true times', async () => {
      await add({ id: 'a' }, { id: 'b' });
      const { token } = await claim(2);
      await complete(['b'], token);
      clock.set(clock.now() - 1_000);
      await complete(['a'], token);

      expect(await idsOf('completed')).toEqual(['b', 'a']);
      const [earlier, later] = await queue.getJobs(['a', 'b']);
      expect(later!.finishedOn! - earlier!.finishedOn!).toBe(1_000);
    });

    it('does not put off the sweeps until the old time', async () => {
      const request = { sweepInterval: 100, maxStalledCount: 1 };
      await queue.recoverAbandonedJobs(request, nextCall());
      clock.set(clock.now() - 86_400_000);
      await add({ id: 'a' });
      await claim(1, 100);
      await queue.recoverAbandonedJobs(request, nextCall());
      await clock.advance(100);

      expect((await queue.recoverAbandonedJobs(request, nextCall())).recovered).toEqual(['a']);
    });
  });

  it('T-B26 keeps the order of adding when the counter passes 2^32 and more', async () => {
    for (const back of [2 ** 32, 2 ** 45]) {
      await add({});
      store.transact(() =>
        store.put('queues', { ...store.get('queues', 'q')!, back: back - 2, front: 2 - back }),
      );
      const ids = ['m', 'n', 'z', 'y', 'x'].map((id) => `${id}-${back}`);
      await add(...ids.map((id) => ({ id, priority: 2_097_151 })));
      await add(...ids.map((id) => ({ id: `lifo-${id}`, lifo: true })));

      expect(await idsOf('prioritized')).toEqual(ids);
      const claimed = await claim(11);
      expect(claimed.jobs.map((job) => job.id)).toEqual([
        ...ids.map((id) => `lifo-${id}`).reverse(),
        expect.any(String),
        ...ids,
      ]);
    }
  });

  it('gives a counted id to no job when one has it already', async () => {
    await add({ id: '1' }, { id: '3' }, {}, {});

    expect(await idsOf('waiting')).toEqual(['1', '3', '4', '5']);
  });

  it('takes a part of a millisecond for a whole one where a job is delayed', async () => {
    await add({ id: 'a', delay: 0.3 });
    const due = clock.now() + 1;

    expect((await queue.getJobs(['a']))[0]).toMatchObject({ state: 'delayed', delay: 1 });
    expect((await claim(1)).idle).toEqual({ reason: 'empty', dueIn: 1 });
    await clock.advance(due - clock.now());
    expect((await claim(1)).jobs).toHaveLength(1);
  });

  describe('the reply slots', () => {
    function slots(): number {
      return store.count('callsByExpiry', ['q']);
    }

    it('are one per channel', async () => {
      for (const channel of ['w0', 'w1', 'w0', 'c0', 'w1']) {
        await queue.pause(nextCall(channel));
      }

      expect(slots()).toBe(3);
    });

    it('are dropped when their handle closes', async () => {
      const other = machine.openQueue({ queueName: 'q', role: 'worker' });
      await other.pause({ caller: other.caller, channel: 'c0', sequence: 1, notAfter: Infinity });
      for (const channel of Object.values(CHANNELS).flat()) {
        await queue.pause(nextCall(channel));
      }
      expect(slots()).toBe(12);
      await queue.close();

      expect(slots()).toBe(1);
    });

    it('expire with later calls, as their callers may be gone', async () => {
      for (let caller = 0; caller < 5; caller += 1) {
        await queue.pause({ ...nextCall(), caller: `gone-${caller}`, notAfter: clock.now() });
      }
      await clock.advance(10 * MINUTE - 1);
      await queue.pause({ ...nextCall(), notAfter: clock.now() });
      expect(slots()).toBe(6);
      await clock.advance(1);
      for (let calls = 0; calls < 3; calls += 1) {
        await queue.pause({ ...nextCall(), notAfter: clock.now() });
      }

      expect(slots()).toBe(1);
    });

    it('take any number after they expired', async () => {
      const job = { id: null, name: 'work', data: '', options: '', priority: 0, delay: 0, lifo: false };
      const call = nextCall();
      await queue.addJobs({ jobs: [job] }, { ...call, notAfter: clock.now() });
      await clock.advance(10 * MINUTE);
      await queue.addJobs({ jobs: [job] }, { ...call, notAfter: clock.now() });

      expect(await idsOf('waiting')).toEqual(['1', '2']);
    });
  });
});
