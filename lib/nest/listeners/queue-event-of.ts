import type { EventGap, QueueEvent } from '../../model/queue-event';

type AnyEvent = QueueEvent | EventGap;

/**
 * The event of a type, of a queue that `defineQueue` has made: what a method with `@OnQueueEvent` is called with.
 *
 * The `returnvalue` of `completed` is of the type of the results of the queue's jobs, and the `name` of `added` one of
 * theirs. Other events do not tell the name: it is not stored with them.
 *
 * @typeParam Definition - `typeof` the definition; for a queue without one its name, or `unknown`
 * @typeParam Type - type of the event; default: any
 *
 * @example
 * ```ts
 * @OnQueueEvent('completed')
 * onCompleted({ jobId, returnvalue }: QueueEventOf<typeof Email, 'completed'>) {}
 *
 * @OnQueueEvent('failed')
 * onFailed({ jobId, failedReason }: QueueEventOf<'email', 'failed'>) {}
 * ```
 *
 * @public
 */
export type QueueEventOf<Definition, Type extends AnyEvent['type'] = AnyEvent['type']> = Type extends unknown
  ? Extract<AnyEvent, { type: Type }> & TypedFields<Definition, Type>
  : never;

type TypedFields<Definition, Type> = Definition extends {
  readonly name: string;
  readonly types?: infer Types;
}
  ? Type extends 'completed'
    ? { returnvalue: Field<Types, 'result'> }
    : Type extends 'added'
      ? { name: Field<Types, 'name'> }
      : unknown
  : unknown;

type Field<Types, Name extends string> =
  NonNullable<Types> extends { readonly [Key in Name]: infer Value } ? Value : unknown;
