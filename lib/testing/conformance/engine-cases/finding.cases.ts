import assert from 'node:assert/strict';

import type { EngineScenario } from './engine-scenario';

/**
 * Who works on a queue.
 *
 * @internal
 */
export const findingCases: readonly EngineScenario[] = [
  {
    title: 'workers are found while they run, the idle and the busy, and not when they are closed',
    async run({ queue, worker, until }) {
      const emails = queue();
      assert.deepEqual(await emails.getWorkers(), []);
      let end = (): void => undefined;
      const process = (): Promise<void> => new Promise((resolve) => (end = resolve));
      const job = await emails.add('send', {});
      const busy = worker(process, { name: 'busy' });
      await until('the job runs', () => job.isActive());
      const idle = worker(process, { name: 'idle' });
      worker(process, { name: 'not started', autorun: false });

      const names = async (): Promise<string> =>
        (await emails.getWorkers())
          .map(({ name }) => name)
          .sort()
          .join();
      await until('both are found', async () => (await names()) === 'busy,idle');
      assert.equal(await emails.getWorkersCount(), 2);

      end();
      await busy.close();
      await until('the idle one is left', async () => (await names()) === 'idle');
      await idle.close();
      await until('none is left', async () => (await emails.getWorkersCount()) === 0);
    },
  },
];
