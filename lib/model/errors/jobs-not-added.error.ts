import { LaneError } from './lane-error';

/**
 * What became of one job of a bulk add.
 *
 * @typeParam AddedJob - the job as `add` returns it
 *
 * @public
 */
export type BulkResult<AddedJob = unknown> =
  | { readonly job: AddedJob; readonly error?: undefined }
  | { readonly job?: undefined; readonly error: Error };

/**
 * Thrown by `addBulk` and `ingest` when the store did not take all of its jobs: it was out of service, or answered too late. Those
 * that it took are stored.
 *
 * @public
 */
export class JobsNotAddedError extends LaneError {
  readonly code = 'LANE_JOBS_NOT_ADDED';

  /** @param results - one per job, in order: the job, or why it was not added, as `add` would have thrown it */
  constructor(readonly results: readonly BulkResult[]) {
    const errors = results.flatMap(({ error }) => error ?? []);
    super(
      `Of ${results.length} jobs ${errors.length} were not added, or perhaps not. The property "results" has each job, ` +
        `or its error. Add those with an error again, with ids of their own where they may be stored. ` +
        `The first error: ${errors[0]?.message}`,
      { cause: errors[0] },
    );
  }
}
