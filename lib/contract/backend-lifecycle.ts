/**
 * Opening, errors and closing of a handle.
 *
 * @public
 */
export interface BackendLifecycle {
  /**
   * Resolves once calls can be carried out. Handles connect when first needed, so calling it is optional.
   *
   * @throws ConnectionLostError when the store cannot be reached
   */
  ready(): Promise<void>;
  /** Store time in milliseconds since 1970. */
  time(): Promise<number>;
  /**
   * Ends waits and frees what the handle holds; the store itself is freed with its last handle. Safe to call twice.
   * Calls after it are refused with `QueueClosedError`.
   */
  close(): Promise<void>;
}
