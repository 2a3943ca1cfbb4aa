/**
 * Whether something is to be awaited, from whatever realm or library it comes.
 *
 * @internal
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
