import { withoutCredentials } from './show-value';
import { StoreError } from './store.error';

/**
 * Thrown by a backend when its store could not be reached, or when a reply did not come. Made again under the same
 * number, a call takes effect once.
 *
 * @public
 */
export class ConnectionLostError extends StoreError {
  readonly code = 'LANE_CONNECTION_LOST';
  readonly passesSoon = true;

  /**
   * @param store - what could not be reached; credentials of a URL are not shown
   * @param requestSent - whether the call may have reached the store, and so may have taken effect
   * @param options - the `code` of the cause, such as `ECONNREFUSED`, is part of the message
   */
  constructor(
    store: string,
    readonly requestSent: boolean,
    options?: { cause?: unknown },
  ) {
    super(
      `${withoutCredentials(store)} could not be reached${requestSent ? ', or its reply was lost' : ''}. ` +
        `Check that it runs and that the address is right.${reasonOf(options?.cause)}`,
      options,
    );
  }
}

/** A code tells a wrong name from a closed port or a bad certificate, and holds nothing that was sent. */
function reasonOf(cause: unknown): string {
  const { code } = (cause ?? {}) as { code?: unknown };
  const isReason = typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) && !code.startsWith('LANE_');
  return isReason ? ` The reason was ${code}.` : '';
}
