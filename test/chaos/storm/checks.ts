import assert from 'node:assert/strict';

import type { JobState } from 'nestjs-lane/contract';

import type { Observation } from './observation';
import type { Scene } from './scene';

/** What holds whatever was done: counts are those of the jobs, and jobs hold what was sent. */
export function expectInOrder(scene: Scene, seen: Observation): void {
  for (const [state, jobs] of Object.entries(seen.jobs)) {
    assert.equal(seen.counts[state as JobState], jobs.length, `the count of jobs that are ${state}`);
    for (const job of jobs) {
      const where = `job ${JSON.stringify(job.id)}`;
      assert.equal(job.state, state, `the state that ${where} names`);
      const sent = scene.sent.get(job.id);
      assert.ok(sent !== undefined, `${where} was never sent`);
      assert.deepEqual(
        [
          job.name,
          job.data,
          job.options,
          job.priority,
          job.timestamp,
          job.timeout,
          job.expiresIn,
          job.headers,
          job.version,
        ],
        [
          sent.name,
          sent.data,
          sent.options,
          sent.priority,
          sent.at,
          sent.timeout ?? null,
          sent.expiresIn ?? null,
          sent.headers ?? null,
          sent.version ?? null,
        ],
        `name, data, options, priority, time, time limits, headers and version of ${where}`,
      );
      assert.equal(
        job.finishedOn === null,
        state !== 'completed' && state !== 'failed',
        `an end of ${where}`,
      );
    }
  }
}
