import { InvalidKeepLogsError } from './errors/invalid-keep-logs.error';
import { InvalidLogRowError } from './errors/invalid-log-row.error';

/**
 * Checks a row for the log of a job.
 *
 * @throws InvalidLogRowError unless it is a text
 *
 * @internal
 */
export function checkLogRow(row: unknown): string {
  if (typeof row !== 'string') {
    throw new InvalidLogRowError(row);
  }
  return row;
}

/**
 * Checks how many rows of a log are kept.
 *
 * @param least - 1 where rows are added, for whoever adds a row wants it kept; 0 where they are removed
 * @throws InvalidKeepLogsError unless it is an integer of at least that
 *
 * @internal
 */
export function checkKeptRows(option: string, value: unknown, least: 0 | 1): number {
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    throw new InvalidKeepLogsError(
      option,
      value,
      `an integer of at least ${least}`,
      `It is the number of newest rows that stay; leave it out ${least === 0 ? 'to remove all' : 'to keep all'}.`,
    );
  }
  return value as number;
}
