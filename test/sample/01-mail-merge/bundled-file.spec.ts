import { statSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { type ParsedMessage, readOutbox } from './support/read-outbox';
import { type Outcome, countsOf, runSample } from './support/start-sample';
import { temporaryFolder } from './support/temporary-folder';

describe('the bundled recipients', () => {
  const out = join(temporaryFolder(), 'new', 'outbox');
  const run = (...args: string[]) => runSample(['--out', out, ...args]);
  const stamps = (messages: ParsedMessage[]) =>
    messages.map(({ file }) => [file, statSync(join(out, file)).ino]);
  let first: Outcome;
  let messages: ParsedMessage[];

  beforeAll(async () => {
    first = await run();
    messages = await readOutbox(out);
  });

  it('are all accounted for', () => {
    expect(countsOf(first)).toEqual({
      recipients: 560,
      sent: 500,
      'already sent': 0,
      skipped: 60,
      'duplicate address': 24,
      'malformed address': 22,
      'empty address': 14,
      retried: 24,
      failed: 0,
    });
    expect(first.stdout).toMatch(/^\d+ jobs a second, \d+\.\d s\. The messages are in /m);
    expect(first.stdout).toContain(out);
    expect(first.code).toBe(0);
  });

  it('get one message each, in their own words', () => {
    const byAddress = new Map(messages.map(({ address, email }) => [address.toLowerCase(), email]));
    expect(byAddress.size).toBe(500);

    const email = byAddress.get('jose_pena@company.test');
    expect(email).toMatchObject({
      from: { name: 'Lane Days', address: 'days@example.org' },
      to: [{ name: 'José Peña', address: 'jose_pena@company.test' }],
      subject: 'José, your seat at Lane Days is waiting for you',
    });
    expect(email?.text).toContain('Dear José,\n');
    // A cell that tries to be a header stays what it is: text.
    expect(email?.text).toContain(
      'You told us:\n\nSubject: not a header\nBcc: everyone@example.com\n\nIf any',
    );
    expect(messages.filter(({ email }) => email.bcc ?? email.cc)).toEqual([]);
    // Domains in other scripts travel in ASCII; what looks like a placeholder in a cell is not filled in.
    expect(byAddress.get('maria.jose_ibanez@xn--bcher-kva.example')?.text).toContain(
      'Name: María José Ibáñez\n',
    );
    expect(byAddress.get('maria.jose59@example.org')?.text).toContain(
      '\n{{first name}} is not a placeholder',
    );
  });

  it('are not written to again by a second run', async () => {
    const before = stamps(messages);

    const second = await run();

    expect(countsOf(second)).toMatchObject({ sent: 0, 'already sent': 500, skipped: 60, failed: 0 });
    expect(second.code).toBe(0);
    expect(stamps(await readOutbox(out))).toEqual(before);
  });

  it('are written to again with --fresh, over the old files', async () => {
    const third = await run('--fresh', '--concurrency', '50');

    expect(countsOf(third)).toMatchObject({ sent: 500, 'already sent': 0, retried: 24, failed: 0 });
    expect(third.code).toBe(0);
    const rewritten = await readOutbox(out);
    expect(rewritten.map(({ file }) => file)).toEqual(messages.map(({ file }) => file));
    const oldIds = new Set(messages.map(({ email }) => email.messageId));
    expect(rewritten.filter(({ email }) => oldIds.has(email.messageId))).toEqual([]);
  });
});
