import { nearestName } from '../nearest-name';
import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when options hold a name that this version does not know. It is refused rather than ignored, so that a
 * misspelt `attemps` does not go unseen.
 *
 * @public
 */
export class UnknownOptionError extends LaneError {
  readonly code = 'LANE_UNKNOWN_OPTION';

  /**
   * @param where - the call that was given the option, such as `forRoot`
   * @param option - the unknown name
   * @param known - the names that are accepted there
   */
  constructor(
    readonly where: string,
    readonly option: string,
    readonly known: readonly string[],
  ) {
    const near = nearestName(option, known);
    super(
      `Option ${showValue(option)} of ${where} is unknown. ` +
        (near === undefined ? '' : `Did you mean "${near}"? `) +
        `Known options: ${known.join(', ')}. Correct the name or remove it.`,
    );
  }
}
