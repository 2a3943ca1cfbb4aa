/**
 * Whether a name came, in all likelihood, from a variable that is not set: it is missing, or what a text makes of that,
 * as in `${process.env.QUEUE}`.
 *
 * @internal
 */
export function isUnsetName(name: unknown): boolean {
  return name === undefined || name === null || name === 'undefined' || name === 'null';
}
