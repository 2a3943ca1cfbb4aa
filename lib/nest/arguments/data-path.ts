/**
 * A part of a job's data. Only what the data itself has is found, and nothing of a prototype.
 *
 * @param path - names with points between them, such as `user.id` or `items.0`; all of the data without one
 * @returns `undefined` where there is nothing
 *
 * @internal
 */
export function valueAt(data: unknown, path: string | undefined): unknown {
  return path === undefined || path === '' ? data : path.split('.').reduce(ownProperty, data);
}

function ownProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
