import { LaneError } from './lane-error';

/**
 * Thrown by the constructors of queues, workers and listeners that are given no backend. Often a variable that is
 * not set.
 *
 * @public
 */
export class InvalidBackendError extends LaneError {
  readonly code = 'LANE_BAD_BACKEND';

  /**
   * @param what - whose backend it is, such as `Queue "email"`
   * @param value - what was given; it may hold a password, so only its type is told
   */
  constructor(what: string, value: unknown) {
    const found =
      value === undefined ? 'is not set' : `is ${value === null ? 'null' : `of type ${typeof value}`}`;
    super(
      `The backend of ${what} ${found}; it must be a backend, such as memory(), or the URL of one, such as ` +
        `"memory:". Give it as the option "backend".`,
    );
  }
}
