import { LaneError } from '../../model/errors/lane-error';
import { showValue } from '../../model/errors/show-value';

/**
 * Thrown by `switchToLane` and `LaneExecutionContext.create` when a guard, an interceptor or a filter is called for a
 * request rather than for a job.
 *
 * @public
 */
export class NotALaneContextError extends LaneError {
  readonly code = 'LANE_CONTEXT_TYPE';

  /** @param type - what `getType()` gave */
  constructor(readonly type: string) {
    super(
      `The context is of type ${showValue(type)}; it must be "lane", the type of job handlers. Ask before: ` +
        `context.getType<LaneContextType>() === 'lane'.`,
    );
  }
}
