/**
 * Marks what `job` and `defineQueue` make, so that two copies of the package know each other's.
 *
 * @internal
 */
export const DEFINITION: unique symbol = Symbol.for('nestjs-lane.definition') as never;

/** @internal */
export interface Defined {
  readonly [DEFINITION]: string;
}

/**
 * Whether something was made by `job` (`'job'`), is a job of a definition (`'queue.job'`) or was made by `defineQueue`
 * (`'queue'`).
 *
 * @internal
 */
export function isDefined(kind: 'job' | 'queue.job' | 'queue', value: unknown): boolean {
  return (value as Partial<Defined> | null | undefined)?.[DEFINITION] === kind;
}
