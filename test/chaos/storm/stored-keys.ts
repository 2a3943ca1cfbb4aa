import assert from 'node:assert/strict';

import type { StoredKeys } from '../../support/redis/stored-keys';
import { allJobs, type Observation } from './observation';
import type { Scene } from './scene';

/** Keys of the queue itself. */
const ofQueue = [
  'meta',
  'id',
  'events',
  'wait',
  'active',
  'prioritized',
  'delayed',
  'completed',
  'failed',
  'pc',
  'marker',
  'stalled',
  'stalled-check',
  'limiter',
];

/** Keys of a queue that stay when all is done: what tells of it, and what is kept. */
const lasting = ['meta', 'id', 'events', 'completed', 'failed', 'marker'];

/** Every key that is stored is accounted for: by the queue, a job that is there, a lease that runs, or its own end. */
export async function expectKnownKeys(keys: StoredKeys, scene: Scene, seen: Observation): Promise<void> {
  const jobs = new Set(allJobs(seen).map(({ id }) => id));
  const active = new Set(seen.jobs.active.map(({ id }) => id));
  const locked = new Set<string>();
  for (const name of await keys.names()) {
    if (ofQueue.includes(name) || jobs.has(name)) continue;
    if (name.startsWith('ln:')) {
      assert.ok((await keys.lifetime(name)) > 0, `the key ${name} has no end`);
      continue;
    }
    if (name.endsWith(':logs') && jobs.has(name.slice(0, -':logs'.length))) continue;
    const [, id = ''] = /^(.*):lock$/su.exec(name) ?? [];
    assert.ok(active.has(id), `nobody knows the key ${name}`);
    locked.add(id);
  }
  for (const { id, endsAt } of scene.openLeases) {
    const isLeased = scene.now < endsAt;
    assert.equal(locked.has(id), isLeased, `whether job ${JSON.stringify(id)} is locked`);
  }
}

/** What is left of a queue whose jobs have all ended, when the calls of its callers are forgotten. */
export async function expectNothingElseLeft(keys: StoredKeys, seen: Observation): Promise<void> {
  const jobs = allJobs(seen).map(({ id }) => id);
  const left = (await keys.names()).filter(
    (name) => !lasting.includes(name) && !jobs.includes(name.replace(/:logs$/, '')),
  );
  assert.deepEqual(left, [], 'keys that are left over');
}
