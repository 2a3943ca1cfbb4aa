import { readFile } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { BadInputError, cannot } from '../bad-input.error';
import { columnKey } from './column-key';
import { parseCsv } from './csv-table';
import { decodeText } from './decode-text';
import { parseEmailAddress } from './email-address';
import type { Recipient, RecipientList } from './recipient';

/** Headers of the column with the addresses, best first; the last ones may mean something else. */
const ADDRESS_COLUMNS = [/^e?mail$/, /^e?mailaddress$/, /e?mail(address)?$/, /^address$/, /^recipient$/];

/** Reads a recipients file as a whole, so that nobody is written to from a file that turns out to be broken. */
@Injectable()
export class RecipientsReader {
  async read(path: string): Promise<RecipientList> {
    const bytes = await readFile(path).catch((error: unknown) => {
      throw cannot('read', path, error);
    });
    const { header, rows } = parseCsv(decodeText(bytes, path), path, (names) => addressColumnOf(names) >= 0);
    const addressColumn = addressColumnOf(header);
    if (addressColumn < 0) throw noAddressColumn(path, header);
    const columns = header.map(columnKey);

    const recipients = new Map<string, Recipient>();
    const skipped: RecipientList['skipped'] = {
      'duplicate address': [],
      'malformed address': [],
      'empty address': [],
    };
    for (const { line, cells } of rows) {
      const text = cells[addressColumn] ?? '';
      const address = parseEmailAddress(text);
      if (text === '') skipped['empty address'].push(line);
      else if (!address) skipped['malformed address'].push(line);
      else if (recipients.has(address.key)) skipped['duplicate address'].push(line);
      else recipients.set(address.key, { address, values: valuesOf(columns, cells) });
    }
    return { columns, recipients: [...recipients.values()], skipped };
  }
}

function addressColumnOf(header: string[]): number {
  const columns = header.map(columnKey);
  const positions = ADDRESS_COLUMNS.map((name) => columns.findIndex((column) => name.test(column)));
  return positions.find((position) => position >= 0) ?? -1;
}

function noAddressColumn(path: string, header: string[]): BadInputError {
  const names = header.map((name) => (name.length > 30 ? `${name.slice(0, 30)}…` : name)).join(', ');
  const looksLikeData = header.some((cell) => parseEmailAddress(cell));
  return new BadInputError(
    looksLikeData
      ? `${path} begins with an address; the first line has to name the columns, such as "email,name"`
      : `${path} has no column of addresses (email, e-mail, mail or address); it has ${names.replace(/\s+/g, ' ')}`,
  );
}

/** Where two columns have the same name the first one counts; cells beyond the header have no name. */
function valuesOf(columns: string[], cells: string[]): Record<string, string> {
  const values: Record<string, string> = {};
  columns.forEach((column, index) => {
    const cell = cells[index];
    if (cell && !Object.hasOwn(values, column)) values[column] = cell;
  });
  return values;
}
