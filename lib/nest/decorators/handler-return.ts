import type { Observable } from 'rxjs';

import type { JobOutcome } from '../../engine/worker/outcome-values';

/**
 * Whether a handler may return something, when its job has a result of some type: the result, an outcome, a promise of
 * either, an Observable or asynchronous iterable that may end with it, or an async generator that returns it, or nothing
 * and may yield it last.
 *
 * @internal
 */
export type IsReturnOf<Result, Returned> = [Returned] extends [never]
  ? true
  : Awaited<Returned> extends Observable<infer Emitted>
    ? IsEither<Emitted, Result>
    : Awaited<Returned> extends AsyncGenerator<infer Yielded, infer Last, never>
      ? IsOfGenerator<Yielded, Last, Result>
      : Awaited<Returned> extends AsyncIterable<infer Emitted>
        ? IsEither<Emitted, Result>
        : IsResult<Awaited<Returned>, Result>;

type IsResult<Returned, Result> = [Returned] extends [Result | JobOutcome<Result>] ? true : false;

type IsOfGenerator<Yielded, Last, Result> =
  IsResult<Last, Result> extends true ? true : [Last] extends [void] ? IsEither<Yielded, Result> : false;

/** Earlier values are progress, of whatever type, so the result has to be one of those that are emitted. */
type IsEither<Emitted, Result> = [Result] extends [Emitted] ? true : IsResult<Emitted, Result>;

/**
 * Decorates a handler whose return type fits the result of its job; another one does not compile.
 *
 * @public
 */
export type HandlerDecorator<Result> = <Method extends (...args: never[]) => unknown>(
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<Method> &
    (IsReturnOf<Result, ReturnType<Method>> extends true ? unknown : { 'the handler has to return': Result }),
) => void;
