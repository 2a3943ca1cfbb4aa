/**
 * Whether something has a mark of this package, from whichever copy of it. Never throws, whatever it is asked of.
 *
 * @param brand - made by `Symbol.for`, which all copies share
 *
 * @internal
 */
export function hasBrand(value: unknown, brand: symbol): boolean {
  try {
    return (value as Record<symbol, unknown> | null | undefined)?.[brand] === true;
  } catch {
    // A proxy that lets nobody look.
    return false;
  }
}
