import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  type CanActivate,
  Catch,
  createParamDecorator,
  type ExceptionFilter,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, ExternalContextCreator } from '@nestjs/core';
import { type Job, LaneConfigError, LaneModule, Process, Processor } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { of } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

const called: string[] = [];

@Injectable()
class Guard implements CanActivate {
  canActivate() {
    called.push('guard');
    return false;
  }
}

@Injectable()
class Interceptor implements NestInterceptor {
  intercept() {
    called.push('interceptor');
    return of('wrapped');
  }
}

@Injectable()
class Pipe implements PipeTransform {
  transform() {
    called.push('pipe');
    return 'piped';
  }
}

@Catch()
class Filter implements ExceptionFilter {
  catch() {
    called.push('filter');
    return 'caught';
  }
}

const start = (providers: Provider[]) =>
  apps.start({
    imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
    providers,
  });

describe('enhancers of the whole application', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are made for requests and are not applied to job handlers', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(job: Job<{ to: string }>) {
        return job.data.to;
      }

      @Process('fail')
      fail() {
        throw new Error('no server');
      }
    }
    const app = await start([
      EmailProcessor,
      { provide: APP_GUARD, useClass: Guard },
      { provide: APP_INTERCEPTOR, useClass: Interceptor },
      { provide: APP_PIPE, useClass: Pipe },
      { provide: APP_FILTER, useClass: Filter },
    ]);
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('send', { to: 'ann' }))).returnvalue).toBe('ann');
    expect((await ended(queue, await queue.add('fail', {}))).failedReason).toBe('no server');
    expect(called).toEqual([]);
  });

  it('are not even known to the context that handlers run in, which is of type "lane"', async () => {
    const create = jest.spyOn(ExternalContextCreator.prototype, 'create');
    const fromContainer = jest.spyOn(ExternalContextCreator, 'fromContainer');
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {}
    }
    await start([EmailProcessor, { provide: APP_GUARD, useClass: Guard }]);

    expect(create.mock.lastCall).toEqual([
      expect.any(EmailProcessor),
      expect.any(Function),
      'send',
      undefined,
      undefined,
      undefined,
      undefined,
      { guards: false, interceptors: false, filters: false },
      'lane',
    ]);
    expect(fromContainer.mock.lastCall![0].applicationConfig?.getGlobalGuards()).toEqual([]);
    expect(fromContainer.mock.lastCall![0].applicationConfig?.getGlobalRequestGuards()).toEqual([]);
  });
});

describe('enhancers of a processor', () => {
  const JobId = createParamDecorator(() => 'id');

  async function refusals(processor: Provider): Promise<LaneConfigError['problems']> {
    const error: unknown = await start([processor]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LaneConfigError);
    return (error as LaneConfigError).problems;
  }

  it('LANE_ENHANCER: are refused on a handler, rather than ignored', async () => {
    @Processor('email')
    class EmailProcessor {
      @UseGuards(Guard)
      @UseInterceptors(Interceptor)
      @UsePipes(Pipe)
      @UseFilters(Filter)
      @Process('send')
      send(@JobId() id: string) {
        return id;
      }
    }

    const problems = await refusals(EmailProcessor);

    expect(problems).toEqual(
      ['@UseGuards', '@UseInterceptors', '@UsePipes', '@UseFilters', 'A parameter decorator'].map(
        (decorator) => ({
          code: 'LANE_ENHANCER',
          message: `${decorator} has no effect on job handlers: guards, interceptors, pipes, filters and parameter decorators are not applied to them.`,
          where: [`@Process('send') on EmailProcessor.send`],
          fix: 'remove it, and do in the handler what it should do.',
        }),
      ),
    );
  });

  it('LANE_ENHANCER: are refused on the class and on its base class', async () => {
    @UseGuards(Guard)
    abstract class Guarded {}

    @UseFilters(Filter)
    @Processor('email')
    class EmailProcessor extends Guarded {
      @Process('send')
      send() {}
    }

    const problems = await refusals(EmailProcessor);

    expect(problems.map(({ message, where }) => `${message.split(' ')[0]} ${where[0]}`)).toEqual([
      `@UseGuards @Processor('email') on EmailProcessor (AppModule)`,
      `@UseFilters @Processor('email') on EmailProcessor (AppModule)`,
    ]);
  });

  it('are none of its business on methods that handle no jobs', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return 'sent';
      }

      @UseGuards(Guard)
      preview(@JobId() id: string) {
        return id;
      }
    }
    const app = await start([EmailProcessor]);
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
  });
});
