import { describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  BadRequestException,
  Catch,
  createParamDecorator,
  type ExceptionFilter,
  Injectable,
  ParseIntPipe,
  type Provider,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import {
  complete,
  discard,
  JobRejectedError,
  LaneModule,
  Process,
  Processor,
  snooze,
  switchToLane,
  UnrecoverableError,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { EMPTY, of } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

async function startWith(...providers: Provider[]) {
  const logger = new RecordingLogger();
  const app = await apps.start(
    {
      imports: [
        LaneModule.forRoot({ backend: memory(), enhancers: { filters: [new ModuleWide()] } }),
        LaneModule.registerQueue('email'),
      ],
      providers,
    },
    { logger },
  );
  return { queue: queueOf(app, 'email'), logger };
}

const seen: string[] = [];

class RareError extends Error {}

@Catch(RareError)
class ModuleWide implements ExceptionFilter {
  catch(error: Error) {
    seen.push(`module: ${error.message}`);
  }
}

/** Takes any error, and answers or throws what a test says. */
function filterThat(answer: (error: Error, host: ArgumentsHost) => unknown): ExceptionFilter {
  @Catch()
  class AnyFilter implements ExceptionFilter {
    catch(error: Error, host: ArgumentsHost) {
      return answer(error, host);
    }
  }
  return new AnyFilter();
}

function throws(error: unknown): never {
  throw error;
}

describe('filters of job handlers', () => {
  it('NA-5-20 leave the error with nothing, replace it by a throw, and decide by an outcome', async () => {
    let snoozes = 0;
    @Processor('email')
    class EmailProcessor {
      @UseFilters(filterThat(() => undefined))
      @Process('nothing')
      nothing() {
        throw new Error('no server');
      }

      @UseFilters(filterThat(() => EMPTY))
      @Process('empty')
      empty() {
        throw new Error('no server');
      }

      @UseFilters(filterThat(() => of({ statusCode: 500 })))
      @Process('response')
      response() {
        throw new Error('no server');
      }

      @UseFilters(filterThat((error) => throws(new UnrecoverableError(`for good: ${error.message}`))))
      @Process('rethrow')
      rethrow() {
        throw new Error('no server');
      }

      @UseFilters(filterThat(() => Promise.reject(new Error('replaced'))))
      @Process('reject')
      reject() {
        throw new Error('no server');
      }

      @UseFilters(filterThat((_, host) => Promise.resolve(complete(switchToLane(host).getJobName()))))
      @Process('complete')
      complete() {
        throw new Error('no server');
      }

      @UseFilters(filterThat((error) => of(discard(error.message))))
      @Process('discard')
      discard() {
        throw new Error('no server');
      }

      @UseFilters(filterThat(() => snooze(5)))
      @Process('snooze')
      snooze() {
        snoozes += 1;
        if (snoozes === 1) {
          throw new Error('no server');
        }
        return 'sent';
      }
    }
    const { queue } = await startWith(EmailProcessor);
    const end = async (name: string) => {
      const job = await ended(queue, await queue.add(name, {}, { attempts: 2 }));
      return [(job.returnvalue ?? job.failedReason) as unknown, job.failedCode, job.attemptsMade];
    };

    expect(await end('nothing')).toEqual(['no server', undefined, 2]);
    expect(await end('empty')).toEqual(['no server', undefined, 2]);
    expect(await end('response')).toEqual(['no server', undefined, 2]);
    expect(await end('rethrow')).toEqual(['for good: no server', undefined, 1]);
    expect(await end('reject')).toEqual(['replaced', undefined, 2]);
    expect(await end('complete')).toEqual(['complete', undefined, 1]);
    expect((await end('discard')).slice(0, 2)).toEqual(['no server', 'discarded']);
    expect(await end('snooze')).toEqual(['sent', undefined, 1]);
  });

  it('NA-5-22 of the method come before those of the class and of the module', async () => {
    seen.length = 0;
    @Catch(RareError, TypeError)
    class OfClass implements ExceptionFilter {
      catch(error: Error) {
        seen.push(`class: ${error.message}`);
      }
    }
    @Catch(RangeError, RareError)
    @Injectable()
    class OfMethod implements ExceptionFilter {
      catch(error: Error) {
        seen.push(`method: ${error.message}`);
      }
    }
    @UseFilters(new OfClass())
    @Processor('email')
    class EmailProcessor {
      @UseFilters(OfMethod)
      @Process('method')
      method() {
        throw new RareError('rare');
      }

      @UseFilters(OfMethod)
      @Process('class')
      class() {
        throw new TypeError('type');
      }
    }
    @Processor('email')
    class OtherProcessor {
      @Process('module')
      module() {
        throw new RareError('rare');
      }
    }
    const { queue } = await startWith(EmailProcessor, OtherProcessor);

    for (const name of ['method', 'class', 'module']) {
      await ended(queue, await queue.add(name, {}));
    }

    expect(seen).toEqual(['method: rare', 'class: type', 'module: rare']);
  });

  it('NA-5-21 see the errors they are for, and nobody logs the others', async () => {
    seen.length = 0;
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        throw new Error('no server');
      }
    }
    const { queue, logger } = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('send', {}))).failedReason).toBe('no server');
    expect(seen).toEqual([]);
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('see what guards and pipes threw, and say what becomes of it; no outcome that somebody threw', async () => {
    const caught: unknown[] = [];
    const Id = createParamDecorator((_, host: ArgumentsHost): unknown => switchToLane(host).getData('id'));
    @UseFilters(
      filterThat((error) => {
        caught.push(error);
      }),
    )
    @Processor('email')
    class EmailProcessor {
      @UseGuards({ canActivate: () => false })
      @Process('rejected')
      rejected() {}

      @Process('invalid')
      invalid(@Id(ParseIntPipe) id: number) {
        return id;
      }

      @Process('said')
      said() {
        throws(complete('said'));
      }
    }
    const { queue } = await startWith(EmailProcessor);
    const end = async (name: string) => {
      const job = await ended(queue, await queue.add(name, { id: 'x' }));
      return job.failedCode ?? (job.returnvalue as unknown);
    };

    expect(await end('rejected')).toBe('rejected');
    expect(await end('invalid')).toBe('invalid');
    expect(await end('said')).toBe('said');
    expect(caught).toEqual([expect.any(JobRejectedError), expect.any(BadRequestException)]);
  });
});
