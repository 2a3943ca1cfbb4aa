import type { UpdateDataReply } from 'nestjs-lane/contract';

import { numberedStep } from '../numbered-step';
import type { StormOperation } from './operation';
import { someIds } from './some-ids';

const texts = ['10', '"half"', '{"step":"ü ☃"}', 'null'] as const;

/** What is told of jobs, in any state, and of a queue. */
export const DESCRIBING: readonly StormOperation[] = [
  {
    name: 'progress',
    operation: 'updateProgress',
    weight: 2,
    plan(scene, random) {
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'updateProgress',
        items: someIds(scene, random, []).map((id) => ({ id, progress: random.pick(texts) })),
        call: (handle, call, updates) => handle.updateProgress({ updates }, call),
      });
    },
  },
  {
    name: 'data',
    operation: 'updateData',
    weight: 1,
    plan(scene, random) {
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'updateData',
        items: someIds(scene, random, []).map((id) => ({ id, data: random.pick(texts) })),
        call: (handle, call, updates) => handle.updateData({ updates }, call),
        learn(reply, { sent }, updates) {
          (reply as UpdateDataReply).refusals.forEach((refusal, index) => {
            const { id, data } = updates[index]!;
            const job = sent.get(id);
            if (refusal === null && job !== undefined) sent.set(id, { ...job, data });
          });
        },
      });
    },
  },
  {
    name: 'write logs',
    operation: 'addLogs',
    weight: 1.5,
    plan(scene, random) {
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'addLogs',
        items: someIds(scene, random, []).map((id) => ({
          id,
          row: random.pick(['', 'begun', 'ü ☃\n']),
          keep: random.pick([null, null, 1, 3]),
        })),
        call: (handle, call, entries) => handle.addLogs({ entries }, call),
      });
    },
  },
  {
    name: 'shorten logs',
    operation: 'clearLogs',
    weight: 0.5,
    plan(scene, random) {
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'clearLogs',
        items: someIds(scene, random, []).map((id) => ({ id, keep: random.pick([0, 1, 2]) })),
        call: (handle, call, logs) => handle.clearLogs({ logs }, call),
      });
    },
  },
  {
    name: 'publish events',
    operation: 'publishEvents',
    weight: 0.5,
    plan(scene, random) {
      return numberedStep(scene, random, {
        caller: scene.any(random, scene.callers)!,
        channels: 'control',
        operation: 'publishEvents',
        // Fewer than are kept anyway would be about as many, which is up to the store.
        items: Array.from({ length: random.integer(1, 3) }, () => ({
          name: random.pick(['seen', 'ü ☃']),
          fields: random.pick([
            [],
            [['jobId', 'nobody']],
            [
              ['a', '1'],
              ['a', 'ü ☃'],
              ['__proto__', ''],
            ],
          ] as [[string, string][], ...[string, string][][]]),
          maxEvents: null,
        })),
        call: (handle, call, events) => handle.publishEvents({ events }, call),
      });
    },
  },
  {
    name: 'look up logs',
    operation: 'getLogs',
    weight: 1,
    plan(scene, random) {
      const [id = ''] = someIds(scene, random, []);
      const request = {
        id,
        offset: random.pick([0, 0, 1, 5]),
        limit: random.pick([null, null, 0, 1, 2]),
        order: random.pick(['ascending', 'descending'] as const),
      };
      return { text: `getLogs ${JSON.stringify(request)}`, act: ({ observer }) => observer.getLogs(request) };
    },
  },
];
