const LONGEST = 60;

/**
 * Renders a caller's value for an error message: short, on one line, and telling apart `"5"` and `5`.
 *
 * Only for names, ids and options. A payload is never shown.
 *
 * @internal
 */
export function showValue(value: unknown): string {
  if (typeof value === 'string') {
    return shorten(JSON.stringify(value));
  }
  if (typeof value === 'function') {
    return 'a function';
  }
  if (typeof value === 'bigint') {
    return shorten(`${value}n`);
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  if (typeof value === 'object' && value !== null) {
    return 'an object';
  }
  return shorten(String(value));
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
