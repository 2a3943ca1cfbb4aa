import { LaneError } from './lane-error';

/**
 * Thrown by `addBulk` when it is given something else than an array of jobs. Nothing was stored.
 *
 * @public
 */
export class InvalidJobsError extends LaneError {
  readonly code = 'LANE_BAD_JOBS';

  /**
   * @param value - what was given in place of the array, or of one of its jobs; it may be a payload, so only its type
   * is told
   * @param index - position in the array, or `undefined` for the array itself
   */
  constructor(value: unknown, index?: number) {
    const what = index === undefined ? 'What addBulk was given' : `Entry ${index} of addBulk`;
    const rule = index === undefined ? 'an array of jobs' : 'a job';
    super(
      `${what} is ${value === null ? 'null' : `of type ${typeof value}`}; it must be ${rule}. ` +
        `Give it as addBulk([{ name: 'send', data: { … }, opts: { … } }]).`,
    );
  }
}
