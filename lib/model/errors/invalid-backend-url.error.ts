import { LaneError } from './lane-error';

/**
 * Thrown when the URL of a backend has a part that cannot be used, such as its port. The URL may hold a password,
 * also in a place where none belongs, so nothing of it is shown.
 *
 * @public
 */
export class InvalidBackendUrlError extends LaneError {
  readonly code = 'LANE_BAD_BACKEND_URL';

  /**
   * @param part - what cannot be used, such as `port`
   * @param rule - what is accepted, as a phrase that follows "must be"
   * @param form - how such a URL is written
   */
  constructor(
    readonly part: string,
    rule: string,
    form: string,
  ) {
    super(
      `The ${part} of the backend URL cannot be used: it must be ${rule}. Write the URL as ${form}, with the special ` +
        `characters of user name and password percent-encoded.`,
    );
  }
}
