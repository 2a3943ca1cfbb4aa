import { withoutCredentials } from './show-value';
import { StoreError } from './store.error';

/**
 * Thrown when the store has no memory left for what a call writes. The call changed nothing.
 *
 * @public
 */
export class StoreFullError extends StoreError {
  readonly code = 'LANE_STORE_FULL';
  readonly passesSoon = false;

  /** @param store - what is full, such as `Redis at queue.example:6379`; credentials are not shown */
  constructor(store: string, options?: { cause?: unknown }) {
    super(
      `${withoutCredentials(store)} is full: it uses all the memory that it may. The call changed nothing. Give it more ` +
        `memory, or keep fewer finished jobs (removeOnComplete, removeOnFail); workers go on trying.`,
      options,
    );
  }
}
