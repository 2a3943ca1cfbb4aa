import { describe, expect, it } from '@jest/globals';

import { memory } from '../../../../lib/backends/memory';
import { systemClock } from '../../../../lib/contract/clock';
import { ManualClock } from '../../../support/manual-clock';

const PLAIN = { id: null, name: 'work', data: '{}', options: '{}', priority: 0, delay: 0, lifo: false };

describe('memory()', () => {
  it('is a store of its own each time', async () => {
    const handles = [memory(), memory()].map((backend) =>
      backend.openQueue({ queueName: 'q', role: 'producer' }),
    );
    const call = { caller: handles[0]!.caller, channel: 'a0', sequence: 1, notAfter: Infinity };
    await handles[0]!.addJobs({ jobs: [PLAIN] }, call);

    const counts = await Promise.all(handles.map((handle) => handle.getCounts()));
    expect(counts.map(({ waiting }) => waiting)).toEqual([1, 0]);
  });

  it('keeps its data as long as the value lives, whether a handle is open or not', async () => {
    const backend = memory();
    const first = backend.openQueue({ queueName: 'q', role: 'producer' });
    const call = { caller: first.caller, channel: 'a0', sequence: 1, notAfter: Infinity };
    await first.addJobs({ jobs: [PLAIN] }, call);
    await first.close();
    const second = backend.openQueue({ queueName: 'q', role: 'worker' });

    expect((await second.getCounts()).waiting).toBe(1);
  });

  it('goes by the clock of the machine, or the one that it is given', async () => {
    const clock = new ManualClock(5_000);
    expect(await memory({ clock }).openQueue({ queueName: 'q', role: 'worker' }).time()).toBe(5_000);

    const before = systemClock.now();
    const time = await memory().openQueue({ queueName: 'q', role: 'worker' }).time();
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(systemClock.now());
  });
});
