import { LaneError } from './lane-error';

/**
 * Thrown by `add`, `addBulk` and `updateProgress` when a value cannot be written as JSON, and the reason with
 * which a job fails whose handler returned such a value. Nothing was stored.
 *
 * @public
 */
export class UnserializableDataError extends LaneError {
  readonly code = 'LANE_UNSERIALIZABLE';

  /**
   * @param what - which value it was, such as `data of job "send"`
   * @param cause - what the JSON encoder said
   */
  constructor(what: string, cause?: unknown) {
    super(
      `The ${what} cannot be written as JSON${describe(cause)}. Jobs travel as JSON: use plain objects, arrays, ` +
        `texts, finite numbers, booleans and null, and turn other values into one of these first.`,
      { cause },
    );
  }
}

/** The encoder's own message may quote the payload's keys on later lines, so only its kind is told. */
function describe(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  if (message.includes('circular')) {
    return ': it refers to itself';
  }
  if (message.includes('BigInt')) {
    return ': it holds a BigInt';
  }
  return '';
}
