/**
 * What marks values by which a handler says what becomes of its job, so that copies of this package know each other's.
 *
 * @internal
 */
export const OUTCOME: unique symbol = Symbol.for('nestjs-lane.outcome');
