import type { NewJob } from '../contract/job-intake';
import { PayloadTooLargeError } from '../model/errors/payload-too-large.error';
import { newJobRecord, type JobRecord } from '../model/job-record';
import { writeJobOptions, type StoredJobOptions } from '../model/stored-job-options';
import type { AddTerms } from './definition/defined-adds';

/**
 * What the store answered to an add.
 *
 * @internal
 */
export interface StoredResult {
  readonly id: string;
  readonly now: number;
  readonly isDuplicate: boolean;
}

/**
 * A job as it is sent to the store.
 *
 * @param data - its payload as JSON
 * @param given - its own options
 * @throws PayloadTooLargeError
 *
 * @internal
 */
export function newJob(
  name: string,
  data: string,
  { defaults, defaultsJson, version }: AddTerms,
  given: StoredJobOptions | undefined,
  headers: string | undefined,
): NewJob {
  const options = given === undefined ? defaults : { ...defaults, ...given };
  if (options.sizeLimit !== undefined) {
    checkSize(name, data, options.sizeLimit);
  }
  return {
    id: options.jobId ?? null,
    name,
    data,
    options: given === undefined ? defaultsJson : writeJobOptions(options),
    timestamp: options.timestamp,
    priority: options.priority ?? 0,
    delay: options.delay ?? 0,
    lifo: options.lifo ?? false,
    timeout: options.timeout,
    expiresIn: options.expiresIn,
    headers,
    version,
  };
}

function checkSize(name: string, json: string, sizeLimit: number): void {
  const size = Buffer.byteLength(json);
  if (size > sizeLimit) {
    throw new PayloadTooLargeError(name, size, sizeLimit);
  }
}

/**
 * A job as it was stored, without asking for it.
 *
 * @internal
 */
export function recordOf(job: NewJob, result: StoredResult): JobRecord {
  const { name, data, options, delay, priority, timestamp = result.now } = job;
  const state = delay > 0 ? 'delayed' : priority > 0 ? 'prioritized' : 'waiting';
  return newJobRecord({ id: result.id, name, state, data, options, timestamp, delay, priority }, job);
}
