import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { waitUntil } from '../../../support/wait-until';
import type { Party } from './bullmq';
import type { CommonGround } from './common-ground';
import { serverUrl } from './server';

export const shortLeases = { lockDuration: 400, stalledInterval: 60 };

/**
 * Lets a process take jobs, and kills it once it has taken so many.
 *
 * @returns the ids of the jobs
 */
export async function dieWithJobs(
  ground: CommonGround,
  party: Party,
  queues: string[],
  jobs: number,
  maxStalledCount = 1,
): Promise<string[]> {
  const options = { concurrency: jobs, ...shortLeases, maxStalledCount };
  const settings = { party, url: serverUrl(), prefix: ground.prefix, queues, options };
  const child = fork(
    join(process.cwd(), 'test/interop/bullmq/support/worker-process.mjs'),
    [JSON.stringify(settings)],
    {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  const taken: string[] = [];
  child.on('message', (id) => taken.push(id as string));
  const died = once(child, 'exit');
  try {
    await waitUntil(
      () => {
        if (child.exitCode !== null) {
          throw new Error(`The process ended by itself, with exit code ${child.exitCode}.`);
        }
        return taken.length === jobs;
      },
      { reason: 'the process had its jobs', deadline: 10_000 },
    );
  } finally {
    if (child.kill('SIGKILL')) {
      await died;
    }
  }
  return taken;
}
