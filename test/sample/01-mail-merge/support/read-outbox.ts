import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import PostalMime, { type Email } from 'postal-mime';

/** A message, as a parser that knows nothing of the program which wrote it sees it. */
export interface ParsedMessage {
  file: string;
  email: Email;
  /** Address of the only recipient. */
  address: string;
}

/** Reads the messages of a folder. It holds nothing else, and each is a mail that any server would take. */
export async function readOutbox(folder: string): Promise<ParsedMessage[]> {
  return Promise.all(
    readdirSync(folder).map(async (file) => {
      assert.match(file, /^mail-[0-9a-f]{32}\.eml$/);
      const source = readFileSync(join(folder, file), 'latin1');
      assertConforming(source, file);
      const email = await PostalMime.parse(source);
      assert.equal(email.to?.length, 1, `${file} has one recipient`);
      return { file, email, address: email.to[0]!.address! };
    }),
  );
}

const headers = [
  'from',
  'to',
  'subject',
  'message-id',
  'date',
  'content-transfer-encoding',
  'mime-version',
  'content-type',
];

/** RFC 5322: seven bits, lines that end in CR LF and are not too long, each header at most once. */
function assertConforming(source: string, file: string): void {
  assert.match(source, /^[\t\r\n\x20-\x7e]*$/, `${file} is plain ASCII`);
  assert.doesNotMatch(source, /[^\r]\n|\r[^\n]/, `${file} ends its lines with CR LF`);
  assert.ok(source.endsWith('\r\n'), `${file} ends with its last line`);
  assert.ok(
    source.split('\r\n').every((line) => line.length <= 78),
    `${file} keeps to 78 characters a line`,
  );
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]/g, ' ');
  const names = head.split('\r\n').map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
  assert.deepEqual(names.sort(), headers.toSorted(), `headers of ${file}`);
}
