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

/**
 * Goes on with a value, now where it is there and later where it has to be awaited: waiting costs a turn of every job.
 *
 * @internal
 */
export function after<T, R>(
  value: T | PromiseLike<T>,
  goOn: (value: T) => R | PromiseLike<R>,
): R | Promise<R> {
  return isThenable(value) ? Promise.resolve(value).then(goOn) : (goOn(value) as R);
}
