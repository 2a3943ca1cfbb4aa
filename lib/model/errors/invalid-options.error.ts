import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when a call is given something else than an object for its options, such as `null` or a number. Nothing was
 * stored or changed.
 *
 * @public
 */
export class InvalidOptionsError extends LaneError {
  readonly code = 'LANE_BAD_OPTIONS';

  /**
   * @param where - the call that was given the options, such as `add`
   * @param value - what was given
   * @param known - the names that are accepted there
   */
  constructor(
    readonly where: string,
    value: unknown,
    known: readonly string[],
  ) {
    super(
      `The options of ${where} are ${showValue(value)}; they must be an object. ` +
        `Give them by name, such as { ${known.join(', ')} }, or leave them out where none are required.`,
    );
  }
}
