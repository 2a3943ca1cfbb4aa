import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'nestjs-lane/engine';

import { RedisServer } from '../../support/redis/redis-server.mjs';
import { waitUntil } from '../../support/wait-until';
import { readOutbox } from './support/read-outbox';
import { Sample, countsOf, runSample } from './support/start-sample';
import { temporaryFolder } from './support/temporary-folder';

/** Files by name, each with what tells it from one that was written in its place. */
function filesIn(folder: string): Map<string, number> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  return new Map(names.map((name) => [name, statSync(join(folder, name)).ino]));
}

describe('on Redis', () => {
  const folder = temporaryFolder();
  let server: RedisServer;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    server = await RedisServer.start();
    env = { LANE_URL: server.url };
  });

  afterAll(() => server.stop());

  it('two processes share the work, and everybody gets one message', async () => {
    const out = join(folder, 'shared');
    const outcomes = await Promise.all([runSample(['--out', out], env), runSample(['--out', out], env)]);

    for (const outcome of outcomes) {
      expect(outcome.stderr).not.toContain('mail-merge:');
      expect(outcome.code).toBe(0);
      const { sent, 'already sent': alreadySent, failed } = countsOf(outcome);
      expect([sent! + alreadySent!, failed]).toEqual([500, 0]);
    }
    expect(new Set((await readOutbox(out)).map(({ address }) => address.toLowerCase())).size).toBe(500);

    const queue = new Queue('mail-merge', { backend: server.url });
    const jobs = await queue.getCompleted();
    await queue.close();
    expect(jobs).toHaveLength(500);
    expect(jobs.filter((job) => job.attemptsStarted !== job.attemptsMade)).toEqual([]);
    expect(new Set(jobs.map((job) => job.processedBy)).size).toBe(2);
  });

  it('a run that is killed in the middle is brought to its end by the next one', async () => {
    const out = join(folder, 'killed');
    const args = ['--out', out, '--concurrency', '20'];
    const killed = new Sample([...args, '--latency', '200'], env);
    await waitUntil(() => filesIn(out).size >= 100, {
      reason: 'some messages are written',
      deadline: 20_000,
    });
    killed.process.kill('SIGKILL');
    await killed.outcome;
    const before = filesIn(out);
    expect(before.size).toBeLessThan(500);
    const restartedAt = performance.now();

    const outcome = await runSample(args, env);

    expect(performance.now() - restartedAt).toBeLessThan(30_000);
    // Some are sent while the run still looks at what is there.
    const { sent, 'already sent': alreadySent, failed } = countsOf(outcome);
    expect([sent! + alreadySent!, failed]).toEqual([500, 0]);
    expect(alreadySent).toBeGreaterThanOrEqual(before.size);
    expect(outcome.code).toBe(0);
    const after = filesIn(out);
    expect(after.size).toBe(500);
    expect([...before].filter(([name, inode]) => after.get(name) !== inode)).toEqual([]);
  });

  it('messages that were taken away are sent again, though the queue remembers their jobs', async () => {
    const out = join(folder, 'taken-away');
    const args = ['--out', out, '--concurrency', '50', '--latency', '0'];
    await runSample(args, env);
    for (let round = 0; round < 2; round += 1) {
      const taken = [...filesIn(out).keys()].slice(0, 20);
      taken.forEach((name) => rmSync(join(out, name)));

      expect(countsOf(await runSample(args, env))).toMatchObject({
        sent: 20,
        'already sent': 480,
        failed: 0,
      });
      expect(filesIn(out).size).toBe(500);
    }
  });

  it('a server that is not there is told in one message, without the password', async () => {
    const away = await RedisServer.start();
    const url = away.url.replace('redis://', 'redis://lane:pa55word@');
    await away.stop();

    const { code, stderr } = await runSample(['--out', join(folder, 'none')], { LANE_URL: url });

    expect(code).toBe(2);
    expect(stderr).toContain(`mail-merge: Lane could not start: a connection cannot be used.`);
    expect(stderr).toContain(`Redis at 127.0.0.1:${away.port} could not be reached`);
    expect(stderr).not.toContain('pa55word');
  });
});
