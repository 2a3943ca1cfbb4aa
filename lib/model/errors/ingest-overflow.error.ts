import { LaneError } from './lane-error';

/**
 * Thrown by `queue.ingest` when an Observable brings jobs faster than the store takes them, and more of them wait than its
 * buffer holds. Those that came before are stored.
 *
 * @public
 */
export class IngestOverflowError extends LaneError {
  readonly code = 'LANE_INGEST_OVERFLOW';

  constructor(buffer: number) {
    super(
      `More than ${buffer} jobs wait to be added, since an Observable cannot be told to wait; those that came before are ` +
        `stored. Give ingest an array, an async generator or another iterable, which is read no faster than the store ` +
        `takes it, or raise "buffer".`,
    );
  }
}
