import { LaneError } from './lane-error';

/**
 * Thrown by `add` and other changing calls when the request was sent but no reply came before the deadline: it may
 * have taken effect or not. Add with a `jobId` of your own to be able to repeat the call safely.
 *
 * @public
 */
export class OutcomeUnknownError extends LaneError {
  readonly code = 'LANE_OUTCOME_UNKNOWN';

  /** @param call - the call without a reply, such as `add` */
  constructor(
    readonly call: string,
    options?: { cause?: unknown },
  ) {
    super(
      `No reply to ${call}() came before its deadline, so it is unknown whether it took effect. ` +
        (/^add/.test(call)
          ? `Look the job up, or repeat the call with the same jobId: a job is stored once per id.`
          : `Look at what it should have changed, or repeat the call.`),
      options,
    );
  }
}
