import { InvalidOptionError } from './invalid-option.error';

/**
 * Thrown when `stackTraceLimit` is no number of stacks.
 *
 * @public
 */
export class InvalidStackTraceLimitError extends InvalidOptionError {
  readonly code = 'LANE_BAD_STACK_TRACE_LIMIT';
}
