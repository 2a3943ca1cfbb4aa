/**
 * Reads a text property of whatever was thrown.
 *
 * Anything can be thrown: a proxy, an error whose message is an object, one with a getter that throws in its turn.
 *
 * @returns the text, or `undefined` when there is none; never throws
 *
 * @internal
 */
export function textProperty(thrown: unknown, name: string): string | undefined {
  try {
    const value = (thrown as Record<string, unknown> | null | undefined)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
