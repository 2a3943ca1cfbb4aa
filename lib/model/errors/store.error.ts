import { LaneError } from './lane-error';

/**
 * Base of the errors of a store that does not carry out calls for now. Nothing is wrong with the call: workers and
 * listeners survive these errors and go on trying, and they tell of each kind once a minute.
 *
 * @public
 */
export abstract class StoreError extends LaneError {
  /**
   * Whether it often passes within seconds. Calls with a deadline, such as `add`, are repeated until then; of other
   * errors the caller hears at once.
   */
  abstract readonly passesSoon: boolean;
}
