import { showValue, withoutCredentials } from './show-value';
import { StoreError } from './store.error';

/**
 * Thrown when the server of a backend is too old, or lacks what the backend is built on. The call changed nothing.
 *
 * @public
 */
export class UnsupportedServerError extends StoreError {
  readonly code = 'LANE_UNSUPPORTED_SERVER';
  readonly passesSoon = false;

  /**
   * @param store - the server, such as `Redis at queue.example:6379`; credentials are not shown
   * @param version - what it says it is, such as `6.0.16` or `7.0.15 in cluster mode`
   * @param needed - what is needed, such as `Redis 6.2 or newer, or Valkey`
   */
  constructor(
    store: string,
    readonly version: string,
    needed: string,
    options?: { cause?: unknown },
  ) {
    super(
      `${withoutCredentials(store)} is ${showValue(version)}, which cannot be used: ${needed} is needed. The call ` +
        `changed nothing. Upgrade the server, or give another one.`,
      options,
    );
  }
}
