import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown by `exportPrometheusMetrics` when a label cannot be used.
 *
 * @public
 */
export class InvalidLabelError extends LaneError {
  readonly code = 'LANE_BAD_LABEL';

  /**
   * @param label - name of the label
   * @param rule - what is wrong with it, as a phrase that follows "since"
   */
  constructor(
    readonly label: string,
    rule: string,
  ) {
    super(
      `Label ${showValue(label)} cannot be used, since ${rule}. Give it another name, such as "app_env".`,
    );
  }
}
