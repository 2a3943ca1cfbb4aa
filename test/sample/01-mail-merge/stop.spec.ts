import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { waitUntil } from '../../support/wait-until';
import { readOutbox } from './support/read-outbox';
import { Sample, countsOf, runSample } from './support/start-sample';
import { temporaryFolder } from './support/temporary-folder';

describe('Ctrl-C', () => {
  const folder = temporaryFolder();

  it('lets the messages that are being sent finish, and says what is left', async () => {
    const out = join(folder, 'drained');
    const sample = new Sample(['--out', out, '--concurrency', '5', '--latency', '100']);
    await waitUntil(() => messagesIn(out) >= 20, { reason: 'some messages are written', deadline: 20_000 });

    // Through npm it comes twice, from the terminal and from npm.
    sample.process.kill('SIGINT');
    sample.process.kill('SIGINT');
    const outcome = await sample.outcome;

    expect(outcome.code).toBe(130);
    expect(outcome.stderr).toContain('Stopping');
    const { sent, left, failed } = countsOf(outcome);
    expect(failed).toBe(0);
    expect(sent! + left!).toBe(500);
    expect(await readOutbox(out)).toHaveLength(sent!);

    const next = await runSample(['--out', out, '--concurrency', '50', '--latency', '0']);
    expect(countsOf(next)).toMatchObject({ sent: left, 'already sent': sent, failed: 0 });
    expect(next.code).toBe(0);
  });

  it('ends at once when it comes a second time', async () => {
    const out = join(folder, 'at-once');
    const sample = new Sample(['--out', out, '--concurrency', '100', '--latency', '4000']);
    await waitUntil(() => messagesIn(out) > 0, { reason: 'a message is written', deadline: 20_000 });
    sample.process.kill('SIGINT');
    await sample.says('Stopping');
    const pressed = performance.now();
    await waitUntil(() => performance.now() - pressed > 400, { reason: 'this can be another key press' });

    sample.process.kill('SIGINT');

    const { code, stdout } = await sample.outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(messagesIn(out)).toBeLessThan(100);
  });
});

/** Messages, without those that are still being written. */
function messagesIn(folder: string): number {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.eml')).length;
  } catch {
    return 0;
  }
}
