import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { type ParsedMessage, readOutbox } from './support/read-outbox';
import { countsOf, runSample } from './support/start-sample';
import { temporaryFolder } from './support/temporary-folder';

const folder = temporaryFolder();
let files = 0;

interface Run {
  list: string | Buffer;
  template: string;
  args?: string[];
}

async function mailMerge({ list, template, args = [] }: Run) {
  const here = join(folder, `${++files}`);
  mkdirSync(here);
  const paths = {
    list: join(here, 'list.csv'),
    template: join(here, 'template.txt'),
    out: join(here, 'out'),
  };
  writeFileSync(paths.list, list);
  writeFileSync(paths.template, template);
  const command = [paths.list, '--template', paths.template, '--out', paths.out, '--latency', '0', ...args];
  const outcome = await runSample(command);
  expect(outcome.code).toBe(0);
  return { ...outcome, ...paths, command, counts: countsOf(outcome), messages: await readOutbox(paths.out) };
}

const plain = 'Subject: Hello {{name}}\nTo: {{name}}\n\n{{name}}|{{note}}\n';

/** Recipient's name by address. */
function namesOf(messages: ParsedMessage[]) {
  return Object.fromEntries(messages.map(({ address, email }) => [address, email.to?.[0]?.name]));
}

describe("a file of one's own", () => {
  const people = Array.from({ length: 500 }, (_, n) => ({
    number: n + 1,
    // Every 25th has no address, every 50th of the others an address that was there, every 40th a broken one.
    address:
      n % 25 === 3
        ? ''
        : n % 50 === 7
          ? `P${n - 7}@Example.ORG`
          : n % 40 === 9
            ? `p${n}(at)example.org`
            : `p${n}@example.org`,
    name: `Žoë "${n}" 山田; ${n}`,
    note: `first line ${n}\nsecond line`,
  }));
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const fileWith = (lineEnd: string) =>
    [
      'Nr.;Note;Full Name;E-Mail Address;Nothing',
      ...people.map(({ number, address, name, note }) =>
        [number, quoted(note.replace('\n', lineEnd)), quoted(name), address, ''].join(';'),
      ),
    ].join(lineEnd);
  const template = [
    'subject: No. {{NR}} for {{full_name}}',
    'to: {{Full name}}',
    '',
    'Hello {{ full name | nobody }},',
    '',
    '  {{note}}',
    '{{nothing|Nothing more.}}',
  ].join('\n');

  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
  ])('may have other columns, semicolons and %s at the line ends', async (_, lineEnd) => {
    const { counts, messages } = await mailMerge({
      list: fileWith(lineEnd),
      template: template.replaceAll('\n', lineEnd),
      args: ['--concurrency', '20'],
    });

    const expected = people.filter(({ address, number }) => address === `p${number - 1}@example.org`);
    const skipped = (test: (address: string) => boolean) =>
      people.filter(({ address }) => test(address)).length;
    expect(counts).toMatchObject({
      recipients: 500,
      sent: expected.length,
      'duplicate address': skipped((address) => address.startsWith('P')),
      'malformed address': skipped((address) => address.includes('(at)')),
      'empty address': skipped((address) => address === ''),
      failed: 0,
    });
    const byAddress = new Map(messages.map((message) => [message.address, message.email]));
    expect(byAddress.size).toBe(expected.length);
    for (const { address, name, note, number } of expected) {
      expect(byAddress.get(address)).toMatchObject({
        to: [{ name, address }],
        subject: `No. ${number} for ${name}`,
        text: `Hello ${name},\n\n  ${note}\nNothing more.\n`,
      });
    }
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffname,Address\r\nŁukasz €,l@example.org\r\n')],
    ['UTF-16', Buffer.from('\ufeffname\tWork E-Mail\r\nŁukasz €\tl@example.org\r\n', 'utf16le')],
    [
      'windows-1252, pasted into UTF-8',
      Buffer.concat([
        Buffer.from('name;address;E_MAIL\r\nŁukasz €;Main Street 1;l@example.org\r\n'),
        Buffer.from('Jos\xe9 \x80;Mühlgasse 2;j@example.org\r\n', 'latin1'),
      ]),
    ],
  ])('may be written in %s, and call the addresses what it wants', async (_, list) => {
    const { messages } = await mailMerge({ list, template: plain });

    expect({ 'j@example.org': 'José €', ...namesOf(messages) }).toEqual({
      'l@example.org': 'Łukasz €',
      'j@example.org': 'José €',
    });
  });

  it('is read with all that people and spreadsheets do to it', async () => {
    const { counts, messages, stdout } = await mailMerge({
      template: plain,
      list: [
        'email,name,note', //                                   1
        '"ada@example.org","Ada ""the first""","a, b"', //      2
        '', //                                                  3
        '  grace@example.org\u00a0,Grace "Amazing" Hopper', //  4
        'ALAN@Example.Org,"Alan', //                            5
        'Mathison",,surplus,cells', //                          6
        ',,,', //                                               7
        'alan@example.org,Duplicate', //                        8
        'Zoë <zoe@example.org>,Malformed', //                   9
        'user@bücher.example,{{note}}\x1b[31m,=1+1', //      10
        '"x@example.org\nBcc: y@example.org",Injected', //     11
        'bcc@example.org,"Eve\r\nBcc: all@example.org",.', //  13
      ].join('\n'),
    });

    expect(counts).toMatchObject({ recipients: 9, sent: 5 });
    expect(stdout).toMatch(/duplicate address +1 {2}line 8$/m);
    expect(stdout).toMatch(/malformed address +2 {2}lines 9, 11$/m);
    expect(stdout).toMatch(/empty address +1 {2}line 7$/m);
    expect(namesOf(messages)).toEqual({
      'ada@example.org': 'Ada "the first"',
      'grace@example.org': 'Grace "Amazing" Hopper',
      'ALAN@example.org': 'Alan Mathison',
      'user@xn--bcher-kva.example': '{{note}}[31m',
      'bcc@example.org': 'Eve Bcc: all@example.org',
    });
  });
});

describe("a template of one's own", () => {
  it('closes the gap that a missing value leaves', async () => {
    const { messages, stdout } = await mailMerge({
      list: 'email,first,last\nada@example.org,Ada,Lovelace\nnemo@example.org,,\ncher@example.org,Cher,',
      template: [
        'Subject: {{first}} {{last}}, welcome',
        'To: {{first}} {{last}}',
        '',
        'Dear {{first}} {{last}}!',
        '{{first}} {{last}} {{town|Somewhere}}, {{country|}} {{street}}.',
      ].join('\n'),
    });

    const seen = messages.map(({ email }) => [email.to?.[0]?.name, email.subject, email.text]);
    expect(seen.sort()).toEqual([
      ['', ', welcome', 'Dear!\nSomewhere,.\n'],
      ['Ada Lovelace', 'Ada Lovelace, welcome', 'Dear Ada Lovelace!\nAda Lovelace Somewhere,.\n'],
      ['Cher', 'Cher, welcome', 'Dear Cher!\nCher Somewhere,.\n'],
    ]);
    expect(stdout).toContain('Note: the template asks for {{street}}, which is no column of the file.\n');
    expect(stdout).not.toMatch(/\{\{(town|country|first)/);
  });

  it('makes new messages when it changes, and none for old recipients when the file grows', async () => {
    const { list, template, command, out } = await mailMerge({
      list: 'email\na@example.org\n',
      template: plain,
    });

    writeFileSync(list, 'name,email\nBea,b@example.org\nAda,A@example.org\n');
    expect(countsOf(await runSample(command))).toMatchObject({ sent: 1, 'already sent': 1 });

    writeFileSync(template, `${plain}\nPS: once more`);
    expect(countsOf(await runSample(command))).toMatchObject({ sent: 2, 'already sent': 0 });
    expect(await readOutbox(out)).toHaveLength(4);
  });
});
