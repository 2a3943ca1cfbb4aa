const LONGEST = 60;

/**
 * Renders a caller's value for an error message: short, on one line, without credentials, and telling apart `"5"`
 * and `5`.
 *
 * Only for names, ids and options. A payload is never shown.
 *
 * @internal
 */
export function showValue(value: unknown): string {
  if (typeof value === 'string') {
    return shorten(JSON.stringify(withoutCredentials(value)));
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
    const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
    return kind === 'Object' ? 'an object' : shorten(`an object (${kind})`);
  }
  return shorten(String(value));
}

/**
 * Takes user name and password out of a text that holds a URL: one is easily given in place of a name.
 *
 * @internal
 */
export function withoutCredentials(text: string): string {
  const scheme = text.indexOf('://');
  const host = text.lastIndexOf('@');
  return scheme === -1 || host < scheme ? text : `${text.slice(0, scheme + 3)}…${text.slice(host)}`;
}

function shorten(text: string): string {
  // A character of two code units is cut whole.
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
