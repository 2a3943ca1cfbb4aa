import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `defineQueue` and `job` when a part of a definition cannot be used.
 *
 * @public
 */
export class InvalidDefinitionError extends LaneError {
  readonly code = 'LANE_BAD_DEFINITION';

  /**
   * @param part - what it is about, as the subject of a sentence, such as `Option "schema" of job()`
   * @param value - what was given
   * @param rule - what is accepted, as a phrase that follows "must be"
   * @param fix - what to do, as a whole sentence
   */
  constructor(
    readonly part: string,
    readonly value: unknown,
    rule: string,
    fix: string,
  ) {
    super(`${part} is ${showValue(value)}; it must be ${rule}. ${fix}`);
  }
}
