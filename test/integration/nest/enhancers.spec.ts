import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Injectable,
  type ModuleMetadata,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import {
  complete,
  type Job,
  LaneConfigError,
  LaneModule,
  type LaneModuleOptions,
  Process,
  Processor,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { tap } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

const called: string[] = [];
afterEach(() => {
  called.length = 0;
});

/** One enhancer of each kind that says when it is called. */
function tracers(name: string) {
  @Injectable()
  class Tracer implements CanActivate, NestInterceptor, PipeTransform {
    canActivate() {
      called.push(`${name} guard`);
      return true;
    }

    intercept(_: ExecutionContext, next: CallHandler) {
      called.push(`${name} interceptor begins`);
      const end = () => called.push(`${name} interceptor ends`);
      return next.handle().pipe(tap({ complete: end, error: end }));
    }

    transform(value: unknown) {
      called.push(`${name} pipe`);
      return value;
    }
  }
  return Tracer;
}

@Catch()
class TraceFilter implements ExceptionFilter {
  catch() {
    called.push('filter');
    return complete('rescued');
  }
}

const Data = createParamDecorator(
  (_, context: ExecutionContext): unknown => context.getArgs<[Job]>()[0].data,
);

async function start(
  enhancers: LaneModuleOptions['enhancers'],
  providers: Provider[],
  more: Omit<ModuleMetadata, 'imports' | 'providers'> = {},
) {
  const app = await apps.start({
    imports: [LaneModule.forRoot({ backend: memory(), enhancers }), LaneModule.registerQueue('email')],
    providers,
    ...more,
  });
  return { app, queue: queueOf(app, 'email') };
}

async function problemsOf(started: Promise<unknown>): Promise<string[]> {
  const error: unknown = await started.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LaneConfigError);
  return (error as LaneConfigError).problems.map(
    ({ code, message, where }) => `${code} ${where.join()}: ${message}`,
  );
}

describe('enhancers of job handlers', () => {
  it('NA-5-01 NA-5-02 run in the order of Nest: by kind, and module-wide, class-wide, method-wide', async () => {
    const OfModule = tracers('module');
    const OfClass = tracers('class');
    const OfMethod = tracers('method');
    @UseGuards(OfClass)
    @UseInterceptors(OfClass)
    @UsePipes(OfClass)
    @Processor('email')
    class EmailProcessor {
      @UseGuards(OfMethod)
      @UseInterceptors(OfMethod)
      @UsePipes(OfMethod)
      @UseFilters(TraceFilter)
      @Process('send')
      send(@Data() data: unknown) {
        called.push(`handler ${JSON.stringify(data)}`);
        throw new Error('no server');
      }
    }
    const { queue } = await start({ guards: [OfModule], interceptors: [OfModule], pipes: [OfModule] }, [
      EmailProcessor,
    ]);

    expect((await ended(queue, await queue.add('send', 1))).returnvalue).toBe('rescued');
    expect(called).toEqual([
      'module guard',
      'class guard',
      'method guard',
      'module interceptor begins',
      'class interceptor begins',
      'method interceptor begins',
      'module pipe',
      'class pipe',
      'method pipe',
      'handler 1',
      'method interceptor ends',
      'class interceptor ends',
      'module interceptor ends',
      'filter',
    ]);
  });

  it('are those of a base class too, and of the class where another token provides it', async () => {
    const Tracer = tracers('base');
    @UseGuards(new Tracer())
    abstract class Guarded {}
    @Processor('email')
    class EmailProcessor extends Guarded {
      @Process('send')
      send() {
        return 'sent';
      }
    }
    const { queue } = await start(undefined, [{ provide: 'EMAIL', useClass: EmailProcessor }]);

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    expect(called).toEqual(['base guard']);
  });

  it('LANE_ENHANCER_NOT_MADE: are refused where Nest would pass them over', async () => {
    const Tracer = tracers('lost');
    @Processor('email')
    class EmailProcessor {
      @UseGuards(Tracer)
      @Process('send')
      send() {}
    }

    expect(
      await problemsOf(
        start(undefined, [{ provide: EmailProcessor, useFactory: () => new EmailProcessor() }]),
      ),
    ).toEqual([
      `LANE_ENHANCER_NOT_MADE @Processor('email') on EmailProcessor (AppModule): Tracer of EmailProcessor would not be applied: Nest makes the enhancers of classes that are listed in "providers" by themselves.`,
    ]);
  });

  it('are none of its business on methods that handle no jobs', async () => {
    const Tracer = tracers('other');
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return 'sent';
      }

      @UseGuards(Tracer)
      preview(@Data() data: unknown) {
        return data;
      }
    }
    const { queue } = await start(undefined, [EmailProcessor]);

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    expect(called).toEqual([]);
  });

  it('NA-5-28 of a class that answers requests besides stay with the requests', async () => {
    const Tracer = tracers('request');
    @Injectable()
    class Mailer {
      send() {
        return 'sent';
      }
    }
    @UseGuards(Tracer)
    @Controller('email')
    class EmailController {
      constructor(private readonly mailer: Mailer) {}

      @Get()
      send() {
        return this.mailer.send();
      }
    }
    @Processor('email')
    class EmailProcessor {
      constructor(private readonly mailer: Mailer) {}

      @Process('send')
      send() {
        return this.mailer.send();
      }
    }
    const { app, queue } = await start(undefined, [EmailProcessor, Mailer], {
      controllers: [EmailController],
    });

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    expect(app.get(EmailController).send()).toBe('sent');
    expect(called).toEqual([]);
  });
});

describe('enhancers of a connection', () => {
  @Processor('email')
  class EmailProcessor {
    @Process('send')
    send(@Data() data: unknown) {
      return data;
    }
  }

  it('NA-5-19 are made by injection, and hold for the handlers of that connection alone', async () => {
    @Injectable()
    class Log {
      constructor() {
        called.push('log made');
      }

      write(line: string) {
        called.push(line);
      }
    }
    @Injectable()
    class LogGuard implements CanActivate {
      constructor(private readonly log: Log) {}

      canActivate(context: ExecutionContext) {
        this.log.write(`guard of ${context.getClass().name}`);
        return true;
      }
    }
    @Injectable()
    class LogPipe implements PipeTransform {
      constructor(private readonly log: Log) {}

      transform(value: unknown) {
        this.log.write('pipe');
        return value;
      }
    }
    @Processor({ queue: 'reports', connection: 'other' })
    class ReportProcessor {
      @Process('send')
      send() {
        return 'reported';
      }
    }
    const app = await apps.start({
      imports: [
        LaneModule.forRoot({ backend: memory(), enhancers: { guards: [LogGuard], pipes: [LogPipe] } }),
        LaneModule.forRoot('other', { backend: memory() }),
        LaneModule.registerQueue('email', { name: 'reports', connection: 'other' }),
      ],
      // The guard is a provider, the pipe is not.
      providers: [EmailProcessor, ReportProcessor, Log, LogGuard],
    });
    const queue = queueOf(app, 'email');
    const reports = queueOf(app, 'reports', 'other');

    expect((await ended(queue, await queue.add('send', 1))).returnvalue).toBe(1);
    expect((await ended(reports, await reports.add('send', 1))).returnvalue).toBe('reported');
    expect(called).toEqual(['log made', 'guard of EmailProcessor', 'pipe']);
  });

  it('LANE_BAD_ENHANCER LANE_ENHANCER_NOT_MADE: are checked as all options are', async () => {
    class NoGuard {}
    @Injectable()
    class Dependent implements CanActivate {
      constructor(readonly missing: NoGuard) {}

      canActivate() {
        return true;
      }
    }
    const wrong = {
      guard: [],
      guards: [NoGuard, 'AuthGuard', Dependent],
      pipes: NoGuard,
      inherit: { pipe: true, filters: 'yes' },
    } as unknown as LaneModuleOptions['enhancers'];

    const problems = await problemsOf(start(wrong, [EmailProcessor]));

    expect(problems.map((problem) => problem.split('\n')[0])).toEqual([
      expect.stringContaining('LANE_UNKNOWN_OPTION enhancers of LaneModule.forRoot() in AppModule:'),
      expect.stringContaining(
        'LANE_BAD_ENHANCER enhancers of LaneModule.forRoot() in AppModule: "AuthGuard" is among',
      ),
      expect.stringContaining('Option "pipes" is a function; it must be an array of classes or objects.'),
      expect.stringContaining('LANE_UNKNOWN_OPTION enhancers.inherit of LaneModule.forRoot() in AppModule:'),
      expect.stringContaining('LANE_BAD_FLAG enhancers.inherit of LaneModule.forRoot() in AppModule:'),
      'LANE_BAD_ENHANCER enhancers.guards of LaneModule.forRoot(): NoGuard is among "guards", and is not a guard: it has no method canActivate().',
      expect.stringContaining(
        'LANE_ENHANCER_NOT_MADE enhancers.guards of LaneModule.forRoot(): Dependent cannot be made: ',
      ),
    ]);
    expect(problems[0]).toContain('guards');
  });

  it('LANE_CONNECTION_CONFLICT: are part of what two forRoots of a connection have to agree on', async () => {
    const backend = memory();
    const Tracer = tracers('module');
    const withEnhancers = (enhancers: LaneModuleOptions['enhancers']) =>
      apps.start({
        imports: [
          LaneModule.forRoot({ backend, enhancers: { guards: [Tracer] } }),
          LaneModule.forRoot({ backend, enhancers }),
          LaneModule.registerQueue('email'),
        ],
      });

    await withEnhancers({ guards: [Tracer], pipes: [] });
    expect((await problemsOf(withEnhancers({ guards: [Tracer], inherit: true })))[0]).toContain(
      'LANE_CONNECTION_CONFLICT',
    );
  });

  it('NA-11-17 LANE_SCOPE: are one object each, so a request-scoped one is refused', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {}
    @Injectable()
    class ProvidedGuard implements CanActivate {
      constructor(readonly dependency: PerRequest) {}

      canActivate() {
        return true;
      }
    }

    expect(
      await problemsOf(start({ guards: [ProvidedGuard] }, [EmailProcessor, ProvidedGuard, PerRequest])),
    ).toEqual([
      'LANE_SCOPE enhancers.guards of LaneModule.forRoot(): ProvidedGuard is request-scoped, or depends on a provider that is; an enhancer of a whole connection is one object for the life of the application.',
    ]);
  });
});

describe('enhancers of the whole application', () => {
  @Injectable()
  class AppGuard implements CanActivate {
    canActivate() {
      called.push('app guard');
      return true;
    }
  }
  const Tracer = tracers('app');
  const providers: Provider[] = [
    { provide: APP_GUARD, useClass: AppGuard },
    { provide: APP_INTERCEPTOR, useClass: Tracer },
    { provide: APP_PIPE, useClass: Tracer },
    { provide: APP_FILTER, useClass: TraceFilter },
  ];

  @Processor('email')
  class EmailProcessor {
    @Process('send')
    send(@Data() data: unknown) {
      return data;
    }

    @Process('fail')
    fail() {
      throw new Error('no server');
    }
  }

  it('NA-5-17 are made for requests and do not reach handlers', async () => {
    const { queue } = await start(undefined, [EmailProcessor, ...providers]);

    expect((await ended(queue, await queue.add('send', 1))).returnvalue).toBe(1);
    expect((await ended(queue, await queue.add('fail', {}))).failedReason).toBe('no server');
    expect(called).toEqual([]);
  });

  it('NA-5-18 reach them with "inherit", all of them, before those of the connection', async () => {
    const OfModule = tracers('module');
    const { queue } = await start({ inherit: true, guards: [OfModule] }, [EmailProcessor, ...providers]);

    expect((await ended(queue, await queue.add('send', 1))).returnvalue).toBe(1);
    expect((await ended(queue, await queue.add('fail', {}))).returnvalue).toBe('rescued');
    expect(called).toEqual([
      'app guard',
      'module guard',
      'app interceptor begins',
      'app pipe',
      'app interceptor ends',
      'app guard',
      'module guard',
      'app interceptor begins',
      'app interceptor ends',
      'filter',
    ]);
  });

  it('NA-11-17 LANE_SCOPE: are one object each, so one that is made for each request is not inherited', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest extends AppGuard {}
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient extends Tracer {}
    const scoped: Provider[] = [
      { provide: APP_GUARD, useClass: PerRequest },
      { provide: APP_PIPE, useClass: Transient },
      { provide: APP_INTERCEPTOR, useFactory: () => new Tracer(), scope: Scope.REQUEST },
    ];
    const rule =
      'an enhancer that all jobs of a connection inherit is one object for the life of the application.';

    expect(await problemsOf(start({ inherit: true }, [EmailProcessor, ...providers, ...scoped]))).toEqual([
      `LANE_SCOPE enhancers.inherit of LaneModule.forRoot(): PerRequest, one of the guards of the whole application, is request-scoped or transient; ${rule}`,
      `LANE_SCOPE enhancers.inherit of LaneModule.forRoot(): Transient, one of the pipes of the whole application, is request-scoped or transient; ${rule}`,
      `LANE_SCOPE enhancers.inherit of LaneModule.forRoot(): What a factory makes, one of the interceptors of the whole application, is request-scoped or transient; ${rule}`,
    ]);
    const { queue } = await start({ inherit: { filters: true } }, [EmailProcessor, ...providers, ...scoped]);
    expect((await ended(queue, await queue.add('fail', {}))).returnvalue).toBe('rescued');
  });

  it.each(['guards', 'pipes', 'interceptors', 'filters'] as const)(
    'NA-5-18 reach them by kind: %s',
    async (kind) => {
      const { queue } = await start({ inherit: { [kind]: true } }, [EmailProcessor, ...providers]);

      await ended(queue, await queue.add('send', 1));
      await ended(queue, await queue.add('fail', {}));

      const kinds = new Set(called.map((call) => call.replace('app ', '').split(' ')[0]));
      expect([...kinds]).toEqual([kind.slice(0, -1)]);
    },
  );
});
