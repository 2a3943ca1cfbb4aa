import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { runSample } from './support/start-sample';
import { temporaryFolder } from './support/temporary-folder';

const folder = temporaryFolder();
const out = join(folder, 'out');

let files = 0;
/** Writes a file, and returns its path. */
function file(content: string | Buffer): string {
  const path = join(folder, `${++files}.txt`);
  writeFileSync(path, content);
  return path;
}

async function refusalOf(args: string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await runSample(args, env);
  expect({ code, stdout, written: existsSync(out) }).toEqual({ code: 2, stdout: '', written: false });
  expect(stderr).toMatch(/^mail-merge: [^\n]+\n$/);
  return stderr.slice('mail-merge: '.length, -1).replaceAll(folder, '<folder>');
}

describe('a file that cannot be used', () => {
  it.each([
    ['is missing', join(folder, 'none.csv'), 'cannot read <folder>/none.csv: no such file'],
    ['is a folder', folder, 'cannot read <folder>: it is a folder'],
    ['is empty', file('\ufeff\n\n'), 'is empty'],
    [
      'has no column of addresses',
      file('name;town\nAda;London'),
      'has no column of addresses (email, e-mail, mail or address); it has name, town',
    ],
    [
      'has no header',
      file('ada@example.org,Ada'),
      'begins with an address; the first line has to name the columns, such as "email,name"',
    ],
    [
      'is no text',
      file(Buffer.from('PK\x03\x04\0\0')),
      'is not a text file; a spreadsheet has to be saved as CSV first',
    ],
    [
      'has a quote without an end',
      file('email,name\na@example.org,"Ada\nb@example.org,Bea\n'),
      'is broken: the row in line 2 has a quote without an end',
    ],
  ])('%s', async (_, path, problem) => {
    expect(await refusalOf([path, '--out', out])).toContain(problem);
  });
});

describe('a template that cannot be used', () => {
  it.each([
    ['is missing', join(folder, 'none.txt'), 'cannot read <folder>/none.txt: no such file'],
    ['has no subject', file('From: Ada <ada@example.org>\n\nHello'), 'it has no "Subject: …" at the top'],
    ['has no text', file('Subject: Hello\n\n'), 'there is no text below the headers'],
    [
      'has other headers',
      file('Subject: Hi\nBcc: all@example.org\n\nHello'),
      '"Bcc: all@example.org" is no Subject, From or To header',
    ],
    [
      'has no proper sender',
      file('Subject: Hi\nFrom: Ada\n\nHello'),
      '"From" is to be written as Name <name@example.org>',
    ],
    [
      'has a broken placeholder',
      file('Subject: Hi {{name\n\nHello'),
      'a placeholder is written {{column}} or {{column|fallback}}',
    ],
  ])('%s', async (_, path, problem) => {
    expect(await refusalOf(['--template', path, '--out', out])).toContain(problem);
  });
});

describe('a folder that cannot be written to', () => {
  it('is named', async () => {
    const below = join(file('in the way'), 'outbox');

    expect(await refusalOf(['--out', below])).toBe(
      `cannot write to ${below.replace(folder, '<folder>')}: a part of the path is a file, not a folder`,
    );
  });
});

describe('a command line that makes no sense', () => {
  it.each([
    [['--concurrency', '2.5'], '--concurrency is a whole number from 1 to 1000, not "2.5"'],
    [['--failure-rate', '5%'], '--failure-rate is a number from 0 to 1, not "5%"'],
    [['--fast'], "Unknown option '--fast' (--help lists the options)"],
    [['a.csv', 'b.csv'], 'one recipients file at a time, not 2'],
  ])('%j', async (args, problem) => {
    expect(await refusalOf(['--out', out, ...args])).toBe(problem);
  });

  it('LANE_URL of a backend that does not exist', async () => {
    const { code, stdout, stderr } = await runSample(['--out', out], { LANE_URL: 'carrier-pigeon://coop' });

    expect({ code, stdout, written: existsSync(out) }).toEqual({ code: 2, stdout: '', written: false });
    expect(stderr).toMatch(/^mail-merge: .*carrier-pigeon.*memory:/s);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('--help', () => {
  it('explains every option', async () => {
    const { code, stdout, stderr } = await runSample(['--help', '--out', out]);

    expect({ code, stderr, written: existsSync(out) }).toEqual({ code: 0, stderr: '', written: false });
    for (const option of [
      'template',
      'out',
      'concurrency',
      'fresh',
      'failure-rate',
      'latency',
      'seed',
      'help',
    ]) {
      expect(stdout).toContain(`  --${option} `);
    }
    expect(stdout).toContain('LANE_URL');
  });
});
