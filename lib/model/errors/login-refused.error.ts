import { withoutCredentials } from './show-value';
import { StoreError } from './store.error';

/**
 * Thrown when the store refuses the user name or the password, or asks for one that was not given. The call changed
 * nothing.
 *
 * @public
 */
export class LoginRefusedError extends StoreError {
  readonly code = 'LANE_LOGIN_REFUSED';
  readonly passesSoon = false;

  /** @param store - what refuses, such as `Redis at queue.example:6379`; credentials are not shown */
  constructor(store: string, options?: { cause?: unknown }) {
    super(
      `${withoutCredentials(store)} refuses the login: user name or password are missing or wrong. The call changed ` +
        `nothing. Correct them in the options of the backend; in a URL, percent-encode special characters.`,
      options,
    );
  }
}
