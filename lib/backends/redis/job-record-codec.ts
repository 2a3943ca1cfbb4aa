import { newJobRecord, type JobRecord } from '../../model/job-record';
import type { JobState } from '../../model/job-state';

/**
 * Fields and values of a job's hash, one after the other; a later one counts. Storage protocol, section 7.
 *
 * @internal
 */
export type JobRow = readonly (string | number)[];

/**
 * Reads the hash of a job. Other clients leave out what they do not need.
 *
 * @param first - where in the row the hash begins
 * @param end - where it has ended
 *
 * @internal
 */
export function toJobRecord(
  id: string,
  state: JobState,
  row: JobRow,
  first = 0,
  end = row.length,
): JobRecord {
  const unread = { name: '', data: '{}', options: '{}', timestamp: 0, delay: 0, priority: 0 };
  const record = newJobRecord({ id, state, ...unread });
  for (let at = first; at < end; at += 2) {
    readField(record, row[at] as string, row[at + 1]!);
  }
  // Clients of BullMQ that have a job run again take away the reason of its failure alone.
  if (record.failedReason === null) {
    record.failedCode = null;
  }
  return record;
}

function readField(record: JobRecord, field: string, value: string | number): void {
  switch (field) {
    case 'name':
      record.name = value as string;
      break;
    case 'data':
      record.data = (value as string) || '{}';
      break;
    case 'opts':
      record.options = (value as string) || '{}';
      break;
    case 'timestamp':
      record.timestamp = Number(value);
      break;
    case 'delay':
      record.delay = Number(value);
      break;
    case 'priority':
      record.priority = Number(value);
      break;
    case 'atm':
    case 'attemptsMade':
      record.attemptsMade = Number(value);
      break;
    case 'ats':
      record.attemptsStarted = Number(value);
      break;
    case 'stc':
      record.stalledCounter = Number(value);
      break;
    case 'ln:unhandled':
      record.unhandled = positiveOf(value) ?? 0;
      break;
    case 'progress':
      record.progress = (value as string) || null;
      break;
    case 'returnvalue':
      record.returnValue = value as string;
      break;
    case 'failedReason':
      record.failedReason = value as string;
      break;
    case 'ln:code':
      record.failedCode = value as string;
      break;
    case 'stacktrace':
      record.stacktrace = listOf(value as string);
      break;
    case 'ln:timeout':
      record.timeout = positiveOf(value);
      break;
    case 'ln:expiresIn':
      record.expiresIn = positiveOf(value);
      break;
    case 'ln:expires':
      record.expiresAt = positiveOf(value);
      break;
    case 'ln:headers':
      record.headers = value as string;
      break;
    case 'ln:version':
      record.version = positiveOf(value);
      break;
    case 'defa':
      record.deferredFailure = value as string;
      break;
    case 'ln:cancel':
      record.cancelReason = value as string;
      break;
    case 'processedOn':
      record.processedOn = Number(value);
      break;
    case 'finishedOn':
      record.finishedOn = Number(value);
      break;
    case 'pb':
      record.processedBy = value as string;
      break;
  }
}

/** Whatever others have stored there: what is no number above 0 is none. */
function positiveOf(value: string | number): number | null {
  const millis = Number(value);
  return millis > 0 && millis < Infinity ? millis : null;
}

/** Stacks that nobody can read are none, as for BullMQ. */
function listOf(json: string): string {
  try {
    return Array.isArray(JSON.parse(json)) ? json : '[]';
  } catch {
    return '[]';
  }
}
