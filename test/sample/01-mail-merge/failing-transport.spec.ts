import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { countsOf, runSample } from './support/start-sample';
import { temporaryFolder } from './support/temporary-folder';

describe('a transport that turns messages away', () => {
  const folder = temporaryFolder();
  const out = join(folder, 'out');
  const list = join(folder, 'list.csv');
  writeFileSync(list, ['email', ...Array.from({ length: 20 }, (_, n) => `p${n}@example.org`)].join('\n'));
  const run = (...args: string[]) =>
    runSample([list, '--out', out, '--latency', '0', '--concurrency', '20', ...args]);

  it('fails a message after five attempts, and with it the run', async () => {
    const outcome = await run('--failure-rate', '1');

    expect(outcome.code).toBe(1);
    expect(countsOf(outcome)).toMatchObject({ recipients: 20, sent: 0, retried: 0, failed: 20 });
    const reasons = [...outcome.stdout.matchAll(/^ +(\d+) {2}4\d\d /gm)].map(([, count]) => Number(count));
    expect(reasons.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect(existsSync(out) && readdirSync(out)).toEqual([]);
  });

  it('does so at the same attempts with the same seed, and at others with another one', async () => {
    const endWith = async (seed: string) => {
      const { stdout } = await run('--fresh', '--failure-rate', '0.6', '--seed', seed);
      return stdout.match(/^(sent|retried|failed|) +\d.*$/gm);
    };
    const [first, again, other] = await Promise.all([endWith('one'), endWith('one'), endWith('two')]);

    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('leaves what failed to the next run', async () => {
    const elsewhere = join(folder, 'elsewhere');
    const { sent, failed } = countsOf(await run('--out', elsewhere, '--failure-rate', '0.8'));
    expect(sent).toBeGreaterThan(0);
    expect(failed).toBeGreaterThan(0);

    const next = await run('--out', elsewhere, '--failure-rate', '0');

    expect(countsOf(next)).toMatchObject({ sent: failed, 'already sent': sent, failed: 0 });
    expect(next.code).toBe(0);
  });
});
