import type { Backoff } from './policy/backoff';
import type { RetentionOption } from './policy/retention';

/**
 * Job options in the form in which they are kept: durations resolved, only what was given. A job that a client of
 * BullMQ added may have others besides.
 *
 * @public
 */
export interface StoredJobOptions {
  jobId?: string;
  timestamp?: number;
  delay?: number;
  priority?: number;
  attempts?: number;
  backoff?: Backoff;
  lifo?: boolean;
  removeOnComplete?: RetentionOption;
  removeOnFail?: RetentionOption;
  keepLogs?: number;
  stackTraceLimit?: number;
  sizeLimit?: number;
}

/** Stored names that differ. Storage protocol, section 8.1. */
const KEEP_LOGS = 'kl';

/**
 * Writes options as they are stored.
 *
 * @internal
 */
export function writeJobOptions(options: StoredJobOptions): string {
  if (options.keepLogs === undefined) {
    return JSON.stringify(options);
  }
  const { keepLogs, ...others } = options;
  return JSON.stringify({ ...others, [KEEP_LOGS]: keepLogs });
}

/**
 * Reads options as they are stored. Whatever was, a job can be run to an end: options that are none say nothing.
 *
 * @internal
 */
export function readJobOptions(text: string): StoredJobOptions {
  let options: unknown;
  try {
    options = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof options !== 'object' || options === null) {
    return {};
  }
  if (!Object.hasOwn(options, KEEP_LOGS)) {
    return options;
  }
  const { [KEEP_LOGS]: keepLogs, ...others } = options as StoredJobOptions & { [KEEP_LOGS]: number };
  return { keepLogs, ...others };
}
