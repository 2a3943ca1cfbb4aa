import { LaneError } from '../../model/errors/lane-error';
import { showValue } from '../../model/errors/show-value';

/**
 * A connection that cannot be used, and why.
 *
 * @public
 */
export interface ConnectionFailure {
  /** Its name; `default` for the one without. */
  readonly connection: string;
  readonly error: Error;
}

/**
 * Thrown when an application starts and the server of one of its connections cannot be used. No job was taken, and
 * the queues are closed. With `requireConnection: false` it is a warning.
 *
 * @public
 */
export class LaneConnectionError extends LaneError {
  readonly code = 'LANE_CONNECTION_REQUIRED';

  /** @param failures - at least one */
  constructor(readonly failures: readonly ConnectionFailure[]) {
    super(render(failures), { cause: failures[0]?.error });
  }
}

function render(failures: readonly ConnectionFailure[]): string {
  const count = failures.length === 1 ? 'a connection' : `${failures.length} connections`;
  return [
    `Lane could not start: ${count} cannot be used.`,
    ...failures.map(
      ({ connection, error }, index) => `${index + 1}. ${showValue(connection)}: ${error.message}`,
    ),
    'To start without it and connect later, set requireConnection: false.',
  ].join('\n\n');
}
