/**
 * Puts something around the next call of an object's hook. The wrapper takes itself away when it is called, so that
 * an object that outlives the application is left as it was.
 *
 * @param around - is handed the hook, which does nothing when the object has none of its own
 * @returns takes the wrapper away, for hooks that will not be called; `undefined` when the object cannot be changed
 *
 * @internal
 */
export function wrapNextCall(
  instance: object,
  hook: string,
  around: (call: () => Promise<void>) => Promise<void>,
): (() => void) | undefined {
  const own = Reflect.getOwnPropertyDescriptor(instance, hook);
  const restore = (): void => {
    if (Reflect.getOwnPropertyDescriptor(instance, hook)?.value !== wrapper) {
      return;
    }
    if (own === undefined) {
      Reflect.deleteProperty(instance, hook);
    } else {
      Reflect.defineProperty(instance, hook, own);
    }
  };
  const wrapper = (): Promise<void> =>
    around(async () => {
      restore();
      await (instance as Record<string, (() => unknown) | undefined>)[hook]?.();
    });
  const isChanged = Reflect.defineProperty(instance, hook, {
    configurable: true,
    enumerable: own?.enumerable ?? false,
    writable: true,
    value: wrapper,
  });
  return isChanged ? restore : undefined;
}
