import { LaneError } from './lane-error';

/**
 * An entry of `addBulk` that is no job, in the `errors` of an `InvalidJobsError`, or one of `ingest`.
 *
 * @public
 */
export class InvalidJobError extends LaneError {
  readonly code = 'LANE_BAD_JOB';

  /** @param value - what was given; it may be a payload, so only its type is told */
  constructor(value: unknown) {
    super(
      `It is ${value === null ? 'null' : `of type ${typeof value}`}; it must be a job. ` +
        `Give it as { name: 'send', data: { … }, opts: { … } }.`,
    );
  }
}
