import { CsvError, parse, type Options as ParseOptions } from 'csv-parse/sync';

import { BadInputError } from '../bad-input.error';

/** A CSV file, cell by cell. */
export interface CsvTable {
  header: string[];
  rows: CsvRow[];
}

export interface CsvRow {
  /** Where the row begins in the file, from 1. */
  line: number;
  cells: string[];
}

const DELIMITERS = [',', ';', '\t'];

/**
 * Takes a CSV file apart.
 *
 * @param isHeader - knows the header when it sees it: the delimiter is the one that shows it
 */
export function parseCsv(text: string, path: string, isHeader: (header: string[]) => boolean): CsvTable {
  const headers = DELIMITERS.map((delimiter) => headerOf(text, delimiter));
  const candidates = headers.some(isHeader) ? headers.filter(isHeader) : headers;
  const widest = candidates.reduce((best, header) => (header.length > best.length ? header : best));
  const delimiter = DELIMITERS[headers.indexOf(widest)]!;
  const [header, ...rows] = parseRows(text, delimiter, path);
  if (!header) throw new BadInputError(`${path} is empty`);
  return { header: header.cells, rows };
}

function parseRows(text: string, delimiter: string, path: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let end = 0;
  const onRecord = (record: string[], { lines }: { lines: number }) => {
    end = lines;
    const cells = record.map(clean);
    const isBlank = cells.length === 1 && cells[0] === '';
    if (!isBlank) rows.push({ line: lines - lineBreaksIn(record), cells });
    return null; // The rows are all that is kept.
  };
  try {
    parse(text, { ...tolerant, delimiter, on_record: onRecord });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BadInputError(`${path} is broken: the row in line ${end + 1} has a quote without an end`, {
      cause: error,
    });
  }
  return rows;
}

/** People and spreadsheets do not keep to the rules: rows of other lengths, quotes inside a cell, blank lines. */
const tolerant = {
  record_delimiter: '\n',
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
} satisfies ParseOptions;

function headerOf(text: string, delimiter: string): string[] {
  try {
    const [header = []] = parse(text, { record_delimiter: '\n', skip_empty_lines: true, to: 1, delimiter });
    return header;
  } catch {
    return []; // Quotes that make no sense with this delimiter.
  }
}

/** No control characters but tab and line break, and no space around it, not even an invisible one. */
function clean(cell: string): string {
  return cell.replace(/[^\P{Cc}\t\n]/gu, '').replace(/^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/g, '');
}

function lineBreaksIn(cells: string[]): number {
  return cells.join('').split('\n').length - 1;
}
