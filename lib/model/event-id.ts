/**
 * Whether a value is the id of an event: two whole numbers of up to 64 bits.
 *
 * @internal
 */
export function isEventId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{1,20}-\d{1,20}$/.test(value) &&
    value.split('-').every((part) => BigInt(part) < 2n ** 64n)
  );
}
