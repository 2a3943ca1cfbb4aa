import { withoutCredentials } from './show-value';
import { StoreError } from './store.error';

/**
 * Thrown when the store takes no writes because it is a read-only replica, as after a failover. The call changed
 * nothing.
 *
 * @public
 */
export class StoreReadOnlyError extends StoreError {
  readonly code = 'LANE_STORE_READ_ONLY';
  readonly passesSoon = true;

  /** @param store - what takes no writes, such as `Redis at queue.example:6379`; credentials are not shown */
  constructor(store: string, options?: { cause?: unknown }) {
    super(
      `${withoutCredentials(store)} takes no writes: it is a read-only replica, as after a failover. The call changed ` +
        `nothing. Give an address that leads to the primary; until it does, workers go on trying.`,
      options,
    );
  }
}
