import { InvalidJobIdError } from './errors/invalid-job-id.error';

/** Names of the keys of a queue, among which jobs are stored by their ids. Storage protocol, section 2.1. */
const RESERVED_IDS: ReadonlySet<string> = new Set([
  'active',
  'completed',
  'delay',
  'delayed',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'paused',
  'pc',
  'prioritized',
  'priority',
  'repeat',
  'stalled',
  'stalled-check',
  'wait',
  'waiting-children',
]);

/** What names of such keys begin with that have several parts. */
const RESERVED_FIRST_PARTS: ReadonlySet<string> = new Set(['de', 'dn', 'metrics', 'repeat']);

/**
 * Checks the id by which a caller names a job that is stored. The empty text is one: it finds no job.
 *
 * @throws InvalidJobIdError unless it is a text: a store would turn anything else into one, or find nothing
 *
 * @internal
 */
export function checkStoredJobId(jobId: unknown): void {
  if (typeof jobId !== 'string') {
    throw new InvalidJobIdError(
      jobId,
      'jobs are found by ids that are texts',
      'Give the text that stands in job.id.',
    );
  }
}

/**
 * Checks an id of the caller's own. Storage protocol, section 18.4.
 *
 * @throws InvalidJobIdError for one that the storage protocol keeps for itself
 *
 * @internal
 */
export function checkJobId(jobId: unknown): string {
  if (typeof jobId !== 'string' || jobId === '') {
    throw new InvalidJobIdError(
      jobId,
      'an id is a text of at least one character',
      'Give a text, or leave jobId out.',
    );
  }
  if (/^-?\d+$/.test(jobId)) {
    throw new InvalidJobIdError(
      jobId,
      'texts of integers are reserved for the ids that the queue counts',
      `Put a word in front of it, such as "job-${jobId.slice(0, 20)}".`,
    );
  }
  if (jobId.startsWith('0:') || (jobId.includes(':') && jobId.split(':').length !== 3)) {
    throw new InvalidJobIdError(
      jobId,
      '":" separates the parts of stored keys and is accepted only in ids of exactly three parts that do not ' +
        'begin with "0:"',
      'Use another separator, such as "-".',
    );
  }
  const [first] = jobId.split(':');
  if (RESERVED_IDS.has(jobId) || (jobId.includes(':') && RESERVED_FIRST_PARTS.has(first!))) {
    throw new InvalidJobIdError(
      jobId,
      'a queue keeps something of its own under that name',
      'Put a word in front of it, such as "job-".',
    );
  }
  return jobId;
}
