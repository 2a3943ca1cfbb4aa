import { AsyncLocalStorage } from 'node:async_hooks';

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  createParamDecorator,
  ForbiddenException,
  type INestApplicationContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ExternalContextCreator, ModuleRef, ModulesContainer } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  from,
  map,
  merge,
  type Observable,
  of,
  retry,
  tap,
  throwError,
  timer,
} from 'rxjs';

import { JobData } from '../../../../lib/nest/decorators/job-data.decorator';
import { jobArguments } from '../../../../lib/nest/arguments/job-arguments';
import { EnhancerFinder } from '../../../../lib/nest/nest-internals/handler-enhancers';
import { handlerPipeline } from '../../../../lib/nest/pipeline/handler-pipeline';
import { HandlerStreams } from '../../../../lib/nest/handlers/handler-streams';
import { ManualClock } from '../../../support/manual-clock';

const job = { id: '1', name: 'send', queueName: 'email', data: { to: 'ada', size: 3 }, headers: {} };
const context = { job, signal: new AbortController().signal };

let app: INestApplicationContext | undefined;
afterEach(() => app?.close());

/** What an enhancer, a pipe or a handler writes down. */
type Journal = string[];

interface Case {
  readonly guards?: readonly CanActivate['canActivate'][];
  readonly interceptors?: readonly NestInterceptor['intercept'][];
  readonly pipes?: readonly PipeTransform<string, unknown>['transform'][];
  readonly handler?: () => unknown;
  readonly parameters?: readonly ParameterDecorator[];
}

/** How a case ends, and what was written down on the way: through Nest's own context, and through the pipeline. */
async function bothWays(make: (journal: Journal) => Case): Promise<[unknown, unknown]> {
  return [await throughNest(make), await throughPipeline(make)];
}

async function throughNest(make: (journal: Journal) => Case): Promise<unknown> {
  const journal: Journal = [];
  const { host, moduleRef } = await classOf(make(journal));
  const creator = moduleRef.get(ExternalContextCreator, { strict: false });
  const run = creator.create(
    host,
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is looked at, and called on the host
    host.run,
    'run',
    ROUTE_ARGS_METADATA,
    jobArguments,
    undefined,
    undefined,
    { guards: true, interceptors: true, filters: false },
    'lane',
  );
  return endOf(journal, () => run(job, context));
}

async function throughPipeline(make: (journal: Journal) => Case): Promise<unknown> {
  const journal: Journal = [];
  const { host, moduleRef } = await classOf(make(journal));
  const [moduleKey, { providers }] = [...moduleRef.get(ModulesContainer, { strict: false })].find(
    ([, module]) => module.hasProvider(host.constructor),
  )!;
  const finder = new EnhancerFinder(moduleRef, new ApplicationConfig(), {
    target: host.constructor,
    method: 'run',
    moduleKey,
    providerId: providers.get(host.constructor)!.id,
    params: jobArguments,
    examine: () => undefined,
  });
  const streams = new HandlerStreams({
    emissions: 'ignore',
    clock: new ManualClock(),
    isTimed: true,
    label: 'Handler.run',
  });
  const run = handlerPipeline<unknown[]>(finder.find(host), {
    call: (values) => host.run(...values),
    resultOf: (returned) => streams.resultOf(returned, context as never),
    hostOf: (args) => finder.hostOf(args),
    refused: () => new ForbiddenException('Forbidden resource'),
  });
  return endOf(journal, async () => run([job, context]));
}

async function classOf({ guards = [], interceptors = [], pipes = [], handler, parameters = [] }: Case) {
  @Injectable()
  class Handler {
    run(...args: unknown[]): unknown {
      return handler === undefined ? args : handler();
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Handler.prototype, 'run')!;
  UseGuards(...guards.map((canActivate) => ({ canActivate })))(Handler.prototype, 'run', descriptor);
  UseInterceptors(...interceptors.map((intercept) => ({ intercept })))(Handler.prototype, 'run', descriptor);
  UsePipes(...pipes.map((transform) => ({ transform })))(Handler.prototype, 'run', descriptor);
  parameters.forEach((decorate, index) => decorate(Handler.prototype, 'run', index));
  await app?.close();
  app = await Test.createTestingModule({ providers: [Handler] }).compile();
  return { host: app.get(Handler), moduleRef: app.get(ModuleRef) };
}

async function endOf(journal: Journal, run: () => Promise<unknown>): Promise<unknown> {
  try {
    const result = await run();
    return { result: Array.isArray(result) ? result.map(nameOf) : nameOf(result), journal };
  } catch (error) {
    return { error: String(error), journal };
  }
}

/** Jobs and contexts by name, so that a difference can be read. */
function nameOf(value: unknown): unknown {
  return value === job ? 'job' : value === context ? 'context' : value;
}

function noting(journal: Journal, name: string): NestInterceptor['intercept'] {
  return (_, next) => {
    journal.push(`${name} before`);
    return next.handle().pipe(tap({ next: (value) => journal.push(`${name} ${String(value)}`) }));
  };
}

describe('the pipeline of a handler means what Nest does with', () => {
  const cases: Record<string, (journal: Journal) => Case> = {
    'no enhancers': () => ({}),
    'a handler that throws at once': () => ({ handler: thrower('broken') }),
    'a handler that rejects': () => ({ handler: () => Promise.reject(new Error('broken')) }),
    'a handler that gives an Observable': () => ({ handler: () => from([1, 2]) }),
    'a promise of an Observable': () => ({ handler: () => Promise.resolve(from([1, 2])) }),
    'a thenable that is no promise': () => ({
      handler: () => ({ then: (resolve: (value: string) => void) => resolve('late') }),
    }),

    'guards that say yes, each in a way of its own': (journal) => ({
      guards: [
        () => note(journal, 'boolean', true),
        () => note(journal, 'promise', Promise.resolve(true)),
        () => note(journal, 'Observable', from([false, true])),
        () => note(journal, 'promise of an Observable', Promise.resolve(of(true)) as never),
        () => note(journal, 'something true', 'yes' as never),
      ],
    }),
    'a guard that says no, behind which nobody is asked': (journal) => ({
      guards: [() => true, () => false, () => note(journal, 'asked', true)],
      interceptors: [noting(journal, 'interceptor')],
    }),
    'a guard whose promise says no': (journal) => ({
      guards: [() => Promise.resolve(false), () => note(journal, 'asked', true)],
    }),
    'a guard whose Observable ends with no': () => ({ guards: [() => from([true, false])] }),
    'a guard whose Observable has no value': () => ({ guards: [() => EMPTY] }),
    'a guard that says nothing': () => ({ guards: [() => undefined as never] }),
    'a guard that throws': () => ({ guards: [thrower('broken')] }),
    'a guard that rejects': () => ({ guards: [() => Promise.reject(new Error('broken'))] }),

    'interceptors one in another': (journal) => ({
      guards: [() => note(journal, 'guard', true)],
      interceptors: [noting(journal, 'outer'), noting(journal, 'inner')],
      handler: () => note(journal, 'handler', 'sent'),
    }),
    'interceptors of each value of an Observable': (journal) => ({
      interceptors: [noting(journal, 'outer'), noting(journal, 'inner')],
      handler: () => from(['a', 'b']),
    }),
    'an interceptor that promises its Observable': (journal) => ({
      interceptors: [async (_, next) => next.handle().pipe(map(String)), noting(journal, 'inner')],
      handler: () => Promise.resolve(1),
    }),
    'an interceptor that has all behind it done again': (journal) => ({
      interceptors: [(_, next) => next.handle().pipe(retry(2)), noting(journal, 'inner')],
      parameters: [JobData('to')],
      pipes: [(value) => note(journal, 'pipe', value)],
      handler: () => {
        journal.push('handler');
        throw new Error(`broken ${journal.filter((entry) => entry === 'handler').length}`);
      },
    }),
    'an interceptor that asks twice': (journal) => ({
      interceptors: [(_, next) => merge(next.handle(), next.handle())],
      handler: () => note(journal, 'handler', journal.length),
    }),
    'an interceptor that never asks': (journal) => ({
      interceptors: [() => of('cached'), noting(journal, 'inner')],
      handler: () => note(journal, 'handler', 'sent'),
    }),
    'an interceptor that asks and does not subscribe': (journal) => ({
      interceptors: [
        (_, next) => {
          next.handle();
          return of('cached');
        },
      ],
      handler: () => note(journal, 'handler', 'sent'),
    }),
    'an interceptor that asks later': (journal) => ({
      interceptors: [(_, next) => timer(1).pipe(concatMap(() => next.handle()))],
      handler: () => note(journal, 'handler', 'sent'),
    }),
    'an interceptor that throws': () => ({ interceptors: [thrower('broken')] }),
    'an interceptor that rejects': () => ({ interceptors: [() => Promise.reject(new Error('broken'))] }),
    'an interceptor whose error another makes a value': (journal) => ({
      interceptors: [
        (_, next) => next.handle().pipe(catchError((error) => of(`caught ${String(error)}`))),
        thrower('broken'),
        noting(journal, 'inner'),
      ],
    }),
    'an interceptor that fails behind the handler': (journal) => ({
      interceptors: [(_, next) => next.handle().pipe(concatMap(() => throwError(() => new Error('broken'))))],
      handler: () => note(journal, 'handler', 'sent'),
    }),
    'an interceptor that gives a list': () => ({ interceptors: [() => ['a', 'b'] as never] }),
    'an interceptor that gives no Observable': () => ({ interceptors: [() => 1 as never] }),
    'an AsyncLocalStorage that each interceptor opens': (journal) => {
      const storage = new AsyncLocalStorage<string>();
      const opening =
        (name: string): NestInterceptor['intercept'] =>
        (_, next) =>
          storage.run(`${storage.getStore() ?? ''}/${name}`, () => next.handle());
      return {
        interceptors: [opening('outer'), opening('inner')],
        parameters: [JobData()],
        pipes: [(value) => note(journal, `pipe ${storage.getStore()}`, value)],
        handler: async () => {
          await Promise.resolve();
          return storage.getStore();
        },
      };
    },

    'parameters that decorators fill': () => ({
      parameters: [JobData('to'), created(() => 'made'), JobData('missing')],
    }),
    'parameters with a gap': () => ({ parameters: [JobData('to'), () => undefined, JobData('size')] }),
    'a decorator that gives a promise': () => ({ parameters: [created(() => Promise.resolve('late'))] }),
    'pipes in a row, told of the parameter': (journal) => ({
      parameters: [JobData('to'), created(() => Promise.resolve('late'))],
      pipes: [
        (value, metadata) => note(journal, `first ${JSON.stringify(metadata)}`, `<${value}>`),
        (value) => note(journal, `second ${value}`, Promise.resolve(`{${value}}`)),
      ],
    }),
    'a pipe that changes what it is told of': (journal) => ({
      parameters: [JobData('to')],
      pipes: [
        (value, metadata) => {
          (metadata as { data?: string }).data = 'changed';
          return value;
        },
        (value, { data }) => note(journal, `told ${data}`, value),
      ],
    }),
    'a pipe that throws': () => ({ parameters: [JobData('to')], pipes: [thrower('broken')] }),
    'parameters of which two fail': (journal) => ({
      parameters: [created(() => 'a'), created(() => 'b')],
      pipes: [
        async (value) => {
          journal.push(`pipe ${value}`);
          await Promise.resolve();
          throw new Error(`broken ${value}`);
        },
      ],
    }),
    'a decorator that throws behind a pipe that rejects': (journal) => ({
      parameters: [created(() => 'a'), created(thrower('broken b')), created(() => 'c')],
      pipes: [
        async (value) => {
          journal.push(`pipe ${value}`);
          await new Promise((resolve) => setImmediate(resolve));
          throw new Error(`broken ${value}`);
        },
      ],
    }),
    'a decorator that rejects': () => ({
      parameters: [created(() => Promise.reject(new Error('broken')))],
      pipes: [(value) => value],
    }),
  };

  it.each(Object.entries(cases))('%s', async (_, make) => {
    const [ofNest, ofPipeline] = await bothWays(make);

    expect(ofPipeline).toEqual(ofNest);
  });
});

describe('the pipeline of a handler', () => {
  it('does not begin a stream of the handler that nobody waits for any more', async () => {
    const begun: string[] = [];
    const end = await throughPipeline(() => ({
      interceptors: [(_, next) => firstOf(next, 'enough')],
      handler: () => defer(() => note(begun, 'begun', of('sent'))),
    }));

    expect(end).toEqual({ result: 'enough', journal: [] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([]);
  });

  it('keeps an AsyncLocalStorage that an interceptor opens for an Observable of the handler, which Nest does not', async () => {
    const ends = await bothWays((journal) => {
      const storage = new AsyncLocalStorage<string>();
      return {
        interceptors: [(_, next) => storage.run('opened', () => next.handle())],
        handler: () => {
          journal.push(`handler ${storage.getStore()}`);
          return defer(() => of(`subscribed ${storage.getStore()}`));
        },
      };
    });

    expect(ends).toEqual([
      { result: 'subscribed undefined', journal: ['handler opened'] },
      { result: 'subscribed opened', journal: ['handler opened'] },
    ]);
  });

  it('hears a parameter that rejects, also beside one whose thenable throws', async () => {
    const end = await throughPipeline(() => ({
      parameters: [
        created(() => Promise.reject(new Error('rejected'))),
        created(() => ({ then: thrower('no thenable') })),
      ],
    }));

    // Meanwhile a rejection that nobody has heard would be told of.
    await new Promise((resolve) => setImmediate(resolve));
    expect(end).toEqual({ error: 'Error: rejected', journal: [] });
  });

  it('waits for nothing where nothing has to be waited for', () => {
    const run = handlerPipeline<unknown[]>(
      { guards: [], interceptors: [], parameters: [], filter: undefined },
      {
        call: ([given]) => given,
        resultOf: (returned) => returned,
        hostOf: thrower('no enhancer asks for it'),
        refused: () => new Error('refused'),
      },
    );

    expect(run(['sent'])).toBe('sent');
  });
});

/** Subscribes, and has enough right away. */
function firstOf(next: CallHandler, value: string): Observable<string> {
  next.handle().subscribe().unsubscribe();
  return of(value);
}

function created(factory: () => unknown): ParameterDecorator {
  return createParamDecorator(factory)();
}

function note<Value>(journal: Journal, entry: string, value: Value): Value {
  journal.push(entry);
  return value;
}

function thrower(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}
