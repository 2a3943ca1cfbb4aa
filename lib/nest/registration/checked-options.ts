import { isDeepStrictEqual } from 'node:util';

import { LONGEST_DELAY } from '../../model/duration';
import { InvalidWorkerOptionError } from '../../model/errors/invalid-worker-option.error';
import { DEFAULT_JOB_OPTION_NAMES, parseDefaultJobOptions } from '../../model/job-options';
import { checkAddTimeout } from '../../model/queue-options';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import { resolveWorkerOptions } from '../../model/worker-options';
import type { ProcessorOptions, QueueDefaults, UnknownJob } from '../options/queue-defaults';
import { PROCESSOR_OPTION_NAMES, QUEUE_DEFAULTS_NAMES } from '../options/queue-defaults';
import type { OptionProblems } from './option-problems';

/**
 * Options that were checked one by one.
 *
 * @internal
 */
export interface CheckedOptions<Options> {
  /** Those that are right, as they were given. */
  readonly given: Options;
  /** What they mean, for comparing: `'1s'` and `1000` are the same. */
  readonly meaning: Readonly<Record<string, unknown>>;
}

/** @internal */
export function checkDefaults(
  options: unknown,
  problems: OptionProblems,
): { given: QueueDefaults; meaning: Record<string, unknown> } {
  const { job = {}, worker = {}, addTimeout } = problems.known(options, QUEUE_DEFAULTS_NAMES, 'defaults');
  const jobOptions = checkEach(
    problems.known(job, DEFAULT_JOB_OPTION_NAMES, 'defaults.job'),
    (one, name) => parseDefaultJobOptions(one, 'defaults.job')[name as never],
    problems,
    'defaults.job',
  );
  const workerOptions = checkProcessorOptions(worker, problems, 'defaults.worker');
  const millis =
    addTimeout === undefined ? undefined : problems.check(() => checkAddTimeout(addTimeout), 'defaults');
  return {
    given: {
      job: jobOptions.given,
      worker: workerOptions.given,
      ...(millis !== undefined && { addTimeout: millis }),
    },
    meaning: { job: jobOptions.meaning, worker: workerOptions.meaning, addTimeout: millis },
  };
}

/** @internal */
export function checkProcessorOptions(
  options: unknown,
  problems: OptionProblems,
  path?: string,
): CheckedOptions<ProcessorOptions> {
  return checkEach(
    problems.known(options, PROCESSOR_OPTION_NAMES, path),
    (one, name) =>
      name === 'unknownJob'
        ? checkUnknownJob(one)
        : resolveWorkerOptions({ ...lenient(name), ...one }, path ?? '@Processor')[
            name as keyof ResolvedWorkerOptions
          ],
    problems,
    path,
  );
}

/** The lease that a renewal has to be shorter than may be given elsewhere: `checkLease` holds them together. */
function lenient(name: string): ProcessorOptions {
  return name === 'lockRenewTime' ? { lockDuration: LONGEST_DELAY } : {};
}

/**
 * Checks that the leases of a worker are renewed before they end, once all of its options are known.
 *
 * @throws InvalidWorkerOptionError
 *
 * @internal
 */
export function checkLease({ lockDuration, lockRenewTime }: ProcessorOptions): void {
  resolveWorkerOptions({ lockDuration, lockRenewTime }, '@Processor');
}

function checkUnknownJob({ unknownJob }: ProcessorOptions): UnknownJob | undefined {
  if (unknownJob !== undefined && unknownJob !== 'release' && unknownJob !== 'fail') {
    throw new InvalidWorkerOptionError(
      'unknownJob',
      unknownJob,
      '"release" or "fail"',
      'It says what becomes of a job whose name no handler takes.',
    );
  }
  return unknownJob;
}

/** @internal */
export function sameMeaning(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(left, right);
}

function checkEach(
  options: Record<string, unknown>,
  parse: (one: object, name: string) => unknown,
  problems: OptionProblems,
  path: string | undefined,
): { given: Record<string, unknown>; meaning: Record<string, unknown> } {
  const given: Record<string, unknown> = {};
  const meaning: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    problems.check(() => {
      meaning[name] = parse({ [name]: value }, name);
      given[name] = value;
    }, path);
  }
  return { given, meaning };
}
