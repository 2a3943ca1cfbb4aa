import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';

import { after, isThenable } from '../../model/thenable';
import { lastValueOf } from '../handlers/last-value';
import type { HandlerEnhancers, HandlerParameter } from '../nest-internals/handler-enhancers';
import { intercepted } from './interception';
import { noteThrownByPipe } from './pipe-errors';

/**
 * What a pipeline is built around.
 *
 * @internal
 */
export interface PipelineHandler<Args extends unknown[]> {
  /** Calls the handler. `values` are its filled parameters, or `args` where none is filled. */
  readonly call: (values: unknown[], args: Args) => unknown;
  /** What is made of that when it is awaited: an Observable or any other value. */
  readonly resultOf: (returned: unknown, args: Args) => unknown;
  /** What the enhancers are called with. */
  readonly hostOf: (args: Args) => ExecutionContext;
  /** The error when a guard says no. */
  readonly refused: (args: Args) => Error;
}

/**
 * Guards, interceptors, pipes, handler: what Nest does around a handler, in its order, at a third of the price. Nest
 * makes promises, Observables and contexts at each step, also where there is nothing to wait for.
 *
 * @returns gives the last value of an Observable, or throws or rejects with what one of them threw
 *
 * @internal
 */
export function handlerPipeline<Args extends unknown[]>(
  { guards, interceptors, parameters }: HandlerEnhancers,
  { call, resultOf, hostOf, refused }: PipelineHandler<Args>,
): (args: Args) => unknown {
  const called =
    parameters.length === 0
      ? (args: Args) => call(args, args)
      : (args: Args) => after(filled(parameters, args), (values) => call(values, args));
  if (guards.length === 0 && interceptors.length === 0) {
    return (args) => after(called(args), (returned) => lastValueOf(resultOf(returned, args)));
  }
  return (args) => {
    const host = hostOf(args);
    const handle = (): unknown => after(called(args), (returned) => resultOf(returned, args));
    return after(saysYes(guards, host), (yes) => {
      if (!yes) {
        throw refused(args);
      }
      return interceptors.length === 0
        ? after(handle(), lastValueOf)
        : lastValueOf(intercepted(interceptors, host, handle));
    });
  };
}

/** Asks the guards from a place on, each when the one before has said yes. */
function saysYes(
  guards: readonly CanActivate[],
  host: ExecutionContext,
  from = 0,
): boolean | Promise<boolean> {
  for (let place = from; place < guards.length; place += 1) {
    const answer = guards[place]!.canActivate(host);
    if (typeof answer !== 'boolean') {
      return answered(answer).then((yes) => yes && saysYes(guards, host, place + 1));
    }
    if (!answer) {
      return false;
    }
  }
  return true;
}

/** @throws EmptyError for an Observable without a value, as Nest does */
async function answered(answer: Exclude<ReturnType<CanActivate['canActivate']>, boolean>): Promise<boolean> {
  const value: unknown = await answer;
  return Boolean(isObservable(value) ? await lastValueFrom(value) : value);
}

/** The values of the parameters: all are begun with at once, and those that need no wait have none. */
function filled(parameters: readonly HandlerParameter[], args: unknown[]): unknown[] | Promise<unknown[]> {
  const values: unknown[] = [];
  const pending: PromiseLike<void>[] = [];
  for (const parameter of parameters) {
    const { index } = parameter;
    const value = valueOf(parameter, args);
    values[index] = value;
    if (isThenable(value)) {
      pending.push(
        value.then((settled) => {
          values[index] = settled;
        }),
      );
    }
  }
  return pending.length === 0 ? values : Promise.all(pending).then(() => values);
}

/**
 * Never throws, and gives no thenable that does: somebody has to wait for the parameters that were begun with before, or
 * one that rejects ends the process.
 */
function valueOf({ extractValue, pipes, metadata }: HandlerParameter, args: unknown[]): unknown {
  try {
    const value = extractValue(...args);
    if (pipes.length > 0) {
      return after(value, (given) => piped(given, pipes, metadata));
    }
    return isThenable(value) ? Promise.resolve(value) : value;
  } catch (thrown) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever it is
    return Promise.reject(thrown);
  }
}

async function piped(
  given: unknown,
  pipes: HandlerParameter['pipes'],
  metadata: HandlerParameter['metadata'],
): Promise<unknown> {
  let value = given;
  try {
    for (const pipe of pipes) {
      value = await pipe.transform(value, { ...metadata });
    }
  } catch (thrown) {
    throw noteThrownByPipe(thrown);
  }
  return value;
}
