import { BadInputError } from '../bad-input.error';
import { columnKey } from '../recipients/column-key';
import { parseEmailAddress } from '../recipients/email-address';

/**
 * A message with placeholders: headers as in a mail, a blank line, the text.
 *
 * `{{column}}` is the recipient's cell of that column, `{{column|fallback}}` the fallback where the cell is empty.
 */
export interface Template {
  from: { name: string; address: string };
  /** The recipient's name, beside the address. May be empty. */
  to: string;
  subject: string;
  text: string;
}

const PLACEHOLDER = /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g;
const SENDER = /^"?([^"<>]*?)"?\s*<([^<>]+)>$/;

/** Holds the place of a missing value; a character that no cell contains. */
const NOTHING = '\0';
const NOTHING_AND_SPACE = /^(?:\0[ \t]*)+/gm;
const SPACE_AND_NOTHING = /[ \t]*\0/g;

/** @param path - where the source comes from, for messages about mistakes in it */
export function parseTemplate(source: string, path: string): Template {
  const mistake = (what: string) => new BadInputError(`${path} is not a template: ${what}`);
  if (/\{\{|\}\}/.test(source.replace(PLACEHOLDER, ''))) {
    throw mistake('a placeholder is written {{column}} or {{column|fallback}}');
  }

  const all = source.trim();
  const [, head = all, text = ''] = /^(.*?)\n[ \t]*\n(.*)$/s.exec(all) ?? [];
  const headers = { subject: '', from: 'Mail merge <mail-merge@example.org>', to: '' };
  for (const line of head.split('\n')) {
    const [, name = '', value = ''] = /^(\w+):(.*)$/.exec(line) ?? [];
    const header = name.toLowerCase();
    if (!Object.hasOwn(headers, header)) {
      throw mistake(`"${line.slice(0, 40)}" is no Subject, From or To header`);
    }
    headers[header as keyof typeof headers] = value.trim();
  }
  if (!headers.subject) throw mistake('it has no "Subject: …" at the top');
  if (!text.trim()) throw mistake('there is no text below the headers');

  const [, name = '', address = ''] = SENDER.exec(headers.from) ?? [];
  if (!parseEmailAddress(address)) throw mistake('"From" is to be written as Name <name@example.org>');
  return { from: { name, address }, to: headers.to, subject: headers.subject, text };
}

/** The columns that a template names without a fallback, each once. */
export function requiredColumns({ to, subject, text }: Template): string[] {
  const placeholders = [...`${to}\n${subject}\n${text}`.matchAll(PLACEHOLDER)];
  const required = placeholders.filter(([, , fallback]) => fallback === undefined);
  return [...new Set(required.map(([, column]) => column!.trim()))];
}

/** Fills in a text, all placeholders at once: what looks like one in a cell stays as it is. */
export function fillIn(text: string, values: Record<string, string>): string {
  return (
    text
      .replace(PLACEHOLDER, (_, column: string, fallback = '') => {
        const key = columnKey(column);
        return (Object.hasOwn(values, key) && values[key]) || (fallback as string).trim() || NOTHING;
      })
      // Nobody is to be greeted as "Dear ,": what is missing takes the space before it along.
      .replace(NOTHING_AND_SPACE, '')
      .replace(SPACE_AND_NOTHING, '')
  );
}
