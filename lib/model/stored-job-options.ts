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
  timeout?: number;
  expiresIn?: number;
}

/** Stored names that differ. Storage protocol, section 8.1. */
const KEEP_LOGS = 'kl';

/**
 * Writes options as they are stored. Those that clients of BullMQ know nothing of have places of their own: time limits
 * are part of the job itself.
 *
 * @internal
 */
export function writeJobOptions(options: StoredJobOptions): string {
  if (options.keepLogs === undefined && options.timeout === undefined && options.expiresIn === undefined) {
    return JSON.stringify(options);
  }
  const { keepLogs, ...others } = options;
  return JSON.stringify({ ...others, timeout: undefined, expiresIn: undefined, [KEEP_LOGS]: keepLogs });
}

/**
 * Adds time limits to options that were read, which do not hold them.
 *
 * @internal
 */
export function withLimits(
  options: StoredJobOptions,
  timeout: number | null | undefined,
  expiresIn: number | null | undefined,
): StoredJobOptions {
  if (timeout != null) {
    options.timeout = timeout;
  }
  if (expiresIn != null) {
    options.expiresIn = expiresIn;
  }
  return options;
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
