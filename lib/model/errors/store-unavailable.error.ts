import { showValue, withoutCredentials } from './show-value';
import { StoreError } from './store.error';

/**
 * Thrown when the store can be reached but serves no calls now: it is loading its data, has lost its primary or a
 * part of its cluster, cannot write to its disk, or is busy. The call changed nothing.
 *
 * @public
 */
export class StoreUnavailableError extends StoreError {
  readonly code = 'LANE_STORE_UNAVAILABLE';
  readonly passesSoon = true;

  /**
   * @param store - what serves no calls, such as `Redis at queue.example:6379`; credentials are not shown
   * @param reply - what it answered instead, such as `LOADING Redis is loading the dataset in memory`
   * @param options - `advice` is what to do; default: to wait, or see what keeps the server from serving
   */
  constructor(
    store: string,
    readonly reply: string,
    options?: { cause?: unknown; advice?: string },
  ) {
    super(
      `${withoutCredentials(store)} serves no calls now and answered ${showValue(reply)}. The call changed nothing. ` +
        `${options?.advice ?? 'Wait, or see what keeps the server from serving'}; workers go on trying.`,
      options,
    );
  }
}
