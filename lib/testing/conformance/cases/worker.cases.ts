import assert from 'node:assert/strict';

import type { ContractCase } from '../conformance-case';
import type { QueueUser } from '../queue-user';

/** Names of the workers of the queue, sorted; those without a name come last. */
async function namesOf(user: QueueUser): Promise<(string | null)[]> {
  const names = (await user.handle.getWorkers()).map((worker) => worker.name);
  return [...names.filter((name) => name !== null).sort(), ...names.filter((name) => name === null)];
}

/** @internal */
export const WORKER_CASES: readonly ContractCase[] = [
  {
    operation: 'getWorkers',
    title: 'brings the workers of the queue that are ready, and nobody else',
    covers: ['success'],
    async run(context) {
      const producer = context.open({ role: 'producer' });
      assert.deepEqual(await producer.handle.getWorkers(), []);
      const workers = [
        context.open({ workerName: 'one' }),
        context.open(),
        context.open({ workerName: 'one' }),
        context.open({ queueName: 'others', workerName: 'elsewhere' }),
      ];
      context.open({ workerName: 'not yet' });
      const listener = context.open({ role: 'events' });
      for (const user of [...workers, producer, listener]) {
        await user.handle.ready();
      }

      assert.deepEqual(await namesOf(producer), ['one', 'one', null]);
      assert.deepEqual(await namesOf(workers[0]!), ['one', 'one', null]);
      assert.deepEqual(await namesOf(workers[3]!), ['elsewhere']);
    },
  },
  {
    operation: 'getWorkers',
    title: 'tells names as they are, whatever they hold',
    covers: ['rule'],
    async run(context) {
      const names = ['a b', 'ä€\u{1f600}', 'line\nline', '100%', '%20', 'x:w:y', '"quoted"'];
      for (const workerName of names) {
        await context.open({ workerName }).handle.ready();
      }

      assert.deepEqual(await namesOf(context.open()), names.toSorted());
    },
  },
  {
    operation: 'getWorkers',
    title: 'tells from where the server is spoken to, where there is one',
    covers: ['rule'],
    async run(context) {
      const user = context.open();
      await user.handle.ready();

      const [worker] = await user.handle.getWorkers();
      const { address } = worker!;
      if (context.backend.capabilities.server) {
        assert.match(address!, /^.+:\d+$/);
      } else {
        assert.equal(address, null);
      }
    },
  },
];
