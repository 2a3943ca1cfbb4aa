import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { redisUrl } from '../support/redis/redis-of-run.mjs';
import { waitUntil } from '../support/wait-until';
import { queueName, terms, useLoads, type Load } from './support/load';

jest.setTimeout(30_000);

const jobs = 1_500;
const kills = 6;

describe('worker processes that are killed under load', () => {
  const makeLoad = useLoads();
  const running = new Set<ChildProcess>();
  let load: Load;

  beforeEach(async () => {
    load = makeLoad(await redisUrl());
  });

  afterEach(async () => {
    await Promise.all([...running].map(kill));
  });

  async function startWorker(): Promise<void> {
    const args = [await redisUrl(), load.prefix, queueName, JSON.stringify(terms)];
    const child = spawn(process.execPath, ['test/chaos/support/worker-process.mjs', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    createInterface(child.stdout).on('line', (line) => {
      const [id = '', attempt] = line.split(' ');
      load.began(id, Number(attempt));
    });
    const errors: Error[] = [];
    load.errors.push(errors);
    createInterface(child.stderr).on('line', (line) => errors.push(new Error(line)));
  }

  async function kill(child: ChildProcess): Promise<void> {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  it('STORE-01 lose no job, and complete none twice', async () => {
    const queue = load.queue();
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    const adding = load.add(jobs, queue);
    for (let killed = 0; killed < kills; killed += 1) {
      const { completed } = await queue.getJobCounts('completed');
      await waitUntil(async () => (await queue.getJobCounts('completed')).completed > completed + 50, {
        reason: 'jobs run',
      });
      const [oldest] = running;
      await kill(oldest!);
      await startWorker();
    }
    await adding;
    await load.expectSound({ deadline: 10_000 });

    // They died in the middle of something: else this has shown nothing.
    expect([...load.runs.keys()].filter((run) => !run.endsWith(' 1')).length).toBeGreaterThan(0);
    load.expectFewErrors();
  });
});
