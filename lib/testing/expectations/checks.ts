import type { JobOptions } from '../../model/job-options';
import { parseJobOptions } from '../../model/job-options';
import { LaneTestingError } from '../errors/lane-testing.error';
import {
  RECORDING,
  type Recorded,
  type RecordedJob,
  type RecordedOutcome,
  type Recording,
} from '../recording';
import { type Difference, differences, shown } from './differences';

/**
 * Options that a job is expected to have. Durations may be texts, and values matchers.
 *
 * @public
 */
export type ExpectedJobOptions = { readonly [Option in keyof JobOptions]?: unknown };

/**
 * What a check says.
 *
 * @internal
 */
export interface Verdict {
  readonly pass: boolean;
  /** Why it does not hold; where it holds, why its opposite does not. */
  readonly message: () => string;
}

const MOST_SHOWN = 5;

/** Jobs of a name that were added with that data and those options. @internal */
export function enqueued(
  received: Recorded,
  name: string,
  data?: unknown,
  options: ExpectedJobOptions = {},
): RecordedJob[] {
  return recordingOf(received).added.filter((job) => differ(job, name, data, options).length === 0);
}

/** @internal */
export function checkEnqueued(
  received: Recorded,
  name: string,
  data?: unknown,
  options: ExpectedJobOptions = {},
): Verdict {
  const { label, added } = recordingOf(received);
  const found = enqueued(received, name, data, options);
  return {
    pass: found.length > 0,
    message: () =>
      found.length > 0
        ? `Expected no job "${name}" like this in ${label}, but there ${found.length === 1 ? 'is one' : `are ${found.length}`}:\n${listed(found.map(jobLine))}`
        : `Expected a job "${name}" in ${label}, and ${nearest(added, name, data, options)}`,
  };
}

/** @internal */
export function checkCompleted(received: Recorded, name: string, times?: number): Verdict {
  return checkEnded(received, 'completed', name, times, undefined);
}

/** @internal */
export function checkFailed(received: Recorded, name: string, timesOrReason?: unknown): Verdict {
  return typeof timesOrReason === 'number'
    ? checkEnded(received, 'failed', name, timesOrReason, undefined)
    : checkEnded(received, 'failed', name, undefined, timesOrReason);
}

/** @internal */
export function checkIdle(received: Recorded): Verdict {
  const { label, busy } = recordingOf(received);
  return {
    pass: busy.length === 0,
    message: () =>
      busy.length === 0
        ? `Expected ${label} to have something to do, but it is idle.`
        : `Expected ${label} to be idle, but there is something to do:\n${listed(busy)}`,
  };
}

function checkEnded(
  received: Recorded,
  kind: 'completed' | 'failed',
  name: string,
  times: number | undefined,
  reason: unknown,
): Verdict {
  const { label, outcomes } = recordingOf(received);
  const ended = outcomes.filter((outcome) => outcome.kind === kind && outcome.name === name);
  const found = ended.filter((outcome) => reason === undefined || hasReason(outcome, reason));
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const wanted =
    `${times === undefined ? 'a job' : `exactly ${times} jobs`} "${name}" of ${label} to have ${kind}` +
    (reason === undefined ? '' : ` because of ${shown(reason)}`);
  return {
    pass,
    message: () =>
      pass
        ? `Expected not ${wanted}, but so it is:\n${listed(found.map(outcomeLine))}`
        : `Expected ${wanted}, but ${found.length === 0 ? 'none has' : `${found.length} have`}.` +
          happened(
            outcomes.filter((outcome) => outcome.name === name),
            outcomes,
          ),
  };
}

function hasReason({ reason = '' }: RecordedOutcome, expected: unknown): boolean {
  if (typeof expected === 'string') {
    return reason.includes(expected);
  }
  return expected instanceof RegExp
    ? expected.test(reason)
    : differences(expected, reason, 'reason').length === 0;
}

function happened(ofName: readonly RecordedOutcome[], all: readonly RecordedOutcome[]): string {
  if (ofName.length > 0) {
    return `\nWhat became of jobs of that name:\n${listed(ofName.map(outcomeLine))}`;
  }
  return all.length === 0
    ? ' Nothing has run.'
    : `\nNo job of that name has run. What became of others:\n${listed(all.map(outcomeLine))}`;
}

function differ(job: RecordedJob, name: string, data: unknown, options: ExpectedJobOptions): Difference[] {
  const { headers, ...others } = options;
  return [
    ...differences(name, job.name, 'name'),
    ...(data === undefined ? [] : differences(data, job.data, 'data')),
    ...differences(resolved(others), job.options, 'options', true),
    ...(headers === undefined ? [] : differences(headers, job.headers ?? {}, 'headers', true)),
  ];
}

/** Options as they are stored; those that are matchers stay. */
function resolved(options: ExpectedJobOptions): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([option, value]) => {
      const isMatcher =
        typeof (value as { asymmetricMatch?: unknown } | null)?.asymmetricMatch === 'function';
      const stored = isMatcher
        ? value
        : parseJobOptions({ [option]: value }, 'toHaveEnqueued')[option as 'delay'];
      return [option, stored];
    }),
  );
}

function nearest(
  added: readonly RecordedJob[],
  name: string,
  data: unknown,
  options: ExpectedJobOptions,
): string {
  if (added.length === 0) {
    return 'nothing was added.';
  }
  const ranked = added
    .map((job) => ({ job, found: differ(job, name, data, options) }))
    .sort(
      (left, right) =>
        Number(left.job.name !== name) - Number(right.job.name !== name) ||
        left.found.length - right.found.length,
    );
  const { job, found } = ranked[0]!;
  const lines = found.map(
    ({ path, expected, received }) => `  ${path}\n    expected: ${expected}\n    received: ${received}`,
  );
  return (
    `none of the ${added.length} that were added is like this. The nearest is\n  ${jobLine(job)}\n` +
    `which differs in\n${lines.join('\n')}`
  );
}

function jobLine({ name, id, data, options, headers }: RecordedJob): string {
  const others = Object.keys(options).length === 0 ? '' : `, options ${shown(options)}`;
  return `"${name}" (id ${id}), data ${shown(data)}${others}${headers === undefined ? '' : `, headers ${shown(headers)}`}`;
}

function outcomeLine({ name, id, kind, reason, code }: RecordedOutcome): string {
  const why = reason === undefined ? '' : `: ${reason}${code === undefined ? '' : ` (${code})`}`;
  return `"${name}" (id ${id}) ${kind}${why}`;
}

function listed(lines: readonly string[]): string {
  const more = lines.length > MOST_SHOWN ? [`  … and ${lines.length - MOST_SHOWN} more`] : [];
  return [...lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`), ...more].join('\n');
}

function recordingOf(received: Recorded): Recording {
  const recording = (received as Partial<Recorded> | null | undefined)?.[RECORDING];
  if (recording === undefined) {
    throw new LaneTestingError(
      'What is looked at has no record of jobs.',
      'Give a LaneHarness, lane.queue(name), or the result of runUntilIdle(), awaited.',
    );
  }
  return recording;
}
