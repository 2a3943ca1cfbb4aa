import type { ValidationIssue } from '../validation-issues';
import { showValue } from './show-value';
import { UnrecoverableError } from './unrecoverable.error';

/** As many issues a message names, each in as many characters. */
const MOST_ISSUES = 10;
const LONGEST_ISSUE = 200;

/**
 * The data of a job is not what its schema, or a pipe of its handler, takes. Thrown where the job is added, nothing is
 * stored; thrown on the way to a handler, the job ends as failed with the code `invalid` and is not retried.
 *
 * Its message, which becomes the `failedReason`, names what is wrong with which field, and never a value.
 *
 * @public
 */
export class InvalidDataError extends UnrecoverableError {
  /** Stable identifier. */
  readonly code = 'LANE_INVALID_DATA';

  /** Outcome code stored with the job. */
  readonly outcomeCode = 'invalid';

  /**
   * @param jobName - name of the job
   * @param queueName - its queue
   * @param issues - at least one
   * @param options - `cause`: what the validator threw
   */
  constructor(
    readonly jobName: string,
    readonly queueName: string,
    readonly issues: readonly ValidationIssue[],
    options?: { cause?: unknown },
  ) {
    super(
      `The data of job ${showValue(jobName)} of queue ${showValue(queueName)} is invalid: ${render(issues)}. ` +
        'Correct it where the job is added.',
      options,
    );
  }
}

function render(issues: readonly ValidationIssue[]): string {
  const more = issues.length - MOST_ISSUES;
  return [...issues.slice(0, MOST_ISSUES).map(renderOne), ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

function renderOne({ path, message }: ValidationIssue): string {
  const text = (path === '' ? message : `${path}: ${message}`).replace(/\s+/g, ' ').replace(/\.$/, '');
  return text.length <= LONGEST_ISSUE ? text : `${text.slice(0, LONGEST_ISSUE - 1)}…`;
}
