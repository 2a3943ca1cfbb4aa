const LARGEST = 2n ** 64n - 1n;

/**
 * Whether a value is the id of an event: two whole numbers of up to 64 bits.
 *
 * @internal
 */
export function isEventId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{1,20}-\d{1,20}$/.test(value) &&
    value.split('-').every((part) => BigInt(part) <= LARGEST)
  );
}

/**
 * Whether an id comes after another one.
 *
 * @internal
 */
export function isLaterEventId(id: string, than: string): boolean {
  const [millis, number = 0n] = id.split('-').map(BigInt) as [bigint, bigint?];
  const [otherMillis, otherNumber = 0n] = than.split('-').map(BigInt) as [bigint, bigint?];
  return millis > otherMillis || (millis === otherMillis && number > otherNumber);
}

/**
 * The id after which the events of a time and later ones come.
 *
 * @param millis - whole milliseconds since 1970, at least 0
 *
 * @internal
 */
export function eventIdBefore(millis: number): string {
  return millis === 0 ? '0-0' : `${millis - 1}-${LARGEST}`;
}
