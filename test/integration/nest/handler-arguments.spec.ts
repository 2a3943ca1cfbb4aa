import { AsyncLocalStorage } from 'node:async_hooks';

import { describe, expect, it } from '@jest/globals';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  ParseIntPipe,
  type PipeTransform,
  Query,
  Scope,
  Type as NestType,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { IsEmail, IsInt } from 'class-validator';
import {
  currentJob,
  InjectJob,
  type Job,
  JOB_REF,
  type JobContext,
  JobCtx,
  JobData,
  JobHeader,
  type JobOptions,
  JobRef,
  JobSignal,
  LaneModule,
  Process,
  Processor,
  Queue,
  switchToLane,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { Observable } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

class Letter {
  @IsEmail()
  to!: string;

  @IsInt()
  copies!: number;
}

const right = { to: 'ann@example.com', copies: 2 };
const wrong = { to: 'secret', copies: 2 };

async function startWith(processor: NestType, ...others: NestType[]): Promise<[Queue, RecordingLogger]> {
  const logger = new RecordingLogger();
  const app = await apps.start(
    {
      imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
      providers: [processor, ...others],
    },
    { logger },
  );
  return [queueOf(app, 'email'), logger];
}

async function run(queue: Queue, data: unknown, options?: JobOptions, name = 'send'): Promise<Job> {
  return ended(queue, await queue.add(name, data, options));
}

describe('@JobData', () => {
  it('NA-4-25 is the data, or a part of it by a path, and undefined where there is nothing', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(
        @JobData('user.id') id: unknown,
        @JobData() data: unknown,
        @JobData('items.1') item: unknown,
        @JobData('user.name.first') missing: unknown,
        @JobData({ path: 'user' }) user: unknown,
      ) {
        return { id, data, item, missing: missing === undefined, user };
      }
    }
    const [queue] = await startWith(EmailProcessor);
    const data = { user: { id: 0 }, items: ['a', 'b'] };

    const job = await run(queue, data);

    expect(job.returnvalue).toEqual({ id: 0, data, item: 'b', missing: true, user: { id: 0 } });
  });

  it('NA-4-25 finds nothing of prototypes', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(
        @JobData('constructor') constructor: unknown,
        @JobData('__proto__.toString') proto: unknown,
        @JobData('items.length') length: unknown,
        @JobData('items.map') map: unknown,
        @JobData('text.length') text: unknown,
      ) {
        return [constructor, proto, length, map, text].map(String);
      }
    }
    const [queue] = await startWith(EmailProcessor);

    const job = await run(queue, { items: ['a'], text: 'abc' });

    expect(job.returnvalue).toEqual(['undefined', 'undefined', '1', 'undefined', 'undefined']);
  });

  it('NA-4-26 runs pipes on it, in order, and a job that a pipe refuses is invalid', async () => {
    @Injectable()
    class Doubled implements PipeTransform {
      transform(value: number) {
        return value * 2;
      }
    }
    const plusOne: PipeTransform = { transform: (value: number) => value + 1 };
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(@JobData('copies', ParseIntPipe, Doubled, plusOne) copies: number) {
        return copies;
      }

      @Process('whole')
      whole(@JobData({ transform: (value: unknown) => [value] }) data: unknown) {
        return data;
      }
    }
    const [queue] = await startWith(EmailProcessor);

    expect((await run(queue, { copies: '20' })).returnvalue).toBe(41);
    expect((await run(queue, 5, {}, 'whole')).returnvalue).toEqual([5]);
    const refused = await run(queue, { copies: 'many' }, { attempts: 3 });
    expect([refused.failedCode, refused.attemptsMade]).toEqual(['invalid', 1]);
  });

  it('NA-4-27 holds it against a Standard Schema, and gives what that makes of it', async () => {
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'spec',
        validate: async (value: unknown) => {
          await Promise.resolve();
          return typeof value === 'string'
            ? { value: value.length }
            : { issues: [{ message: 'must be a text, not 5', path: ['deep', { key: 0 }], received: '5' }] };
        },
      },
    };
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(@JobData({ schema, path: 'to' }, { transform: (length: number) => length + 1 }) length: number) {
        return length;
      }
    }
    const [queue] = await startWith(EmailProcessor);

    expect((await run(queue, { to: 'four' })).returnvalue).toBe(5);
    const refused = await run(queue, { to: 5 }, { attempts: 3 });
    expect([refused.failedCode, refused.attemptsMade]).toEqual(['invalid', 1]);
    expect(refused.failedReason).toContain('to.deep.0: must be a text, not …');
  });

  it('NA-4-29 is validated by a ValidationPipe without options, on method, class and parameter', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('method')
      @UsePipes(new ValidationPipe())
      ofMethod(@JobData() letter: Letter) {
        return letter.copies;
      }

      @Process('parameter')
      ofParameter(@JobData(new ValidationPipe({ transform: true })) letter: Letter) {
        return letter instanceof Letter;
      }
    }
    @Processor('email')
    @UsePipes(ValidationPipe)
    class OtherProcessor {
      @Process('class')
      ofClass(@JobData() letter: Letter) {
        return letter.copies;
      }
    }
    const [queue, logger] = await startWith(EmailProcessor, OtherProcessor);

    expect((await run(queue, right, {}, 'method')).returnvalue).toBe(2);
    expect((await run(queue, right, {}, 'class')).returnvalue).toBe(2);
    expect((await run(queue, right, {}, 'parameter')).returnvalue).toBe(true);
    for (const name of ['method', 'class', 'parameter']) {
      const refused = await run(queue, wrong, { attempts: 3 }, name);
      expect([name, refused.failedCode, refused.attemptsMade]).toEqual([name, 'invalid', 1]);
      expect(refused.failedReason).toContain('to must be an email');
      expect(refused.failedReason).not.toContain('secret');
    }
    expect(logger.messages('warn')).toEqual([]);
  });

  it('NA-4-28 is validated by the class that it is told, where the compiler has noted none', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      @UsePipes(new ValidationPipe())
      send(@JobRef() _job: unknown, @JobData({ type: Letter }) letter: unknown) {
        return (letter as Letter).copies;
      }
    }
    const [queue, logger] = await startWith(EmailProcessor);

    expect((await run(queue, right)).returnvalue).toBe(2);
    expect((await run(queue, wrong)).failedCode).toBe('invalid');
    expect(logger.messages('warn')).toEqual([]);
  });

  it('NA-4-32 NA-11-18 warns of a parameter whose type no validation pipe can know', async () => {
    class StrictPipe extends ValidationPipe {}
    @Processor('email')
    @UsePipes(new StrictPipe())
    class EmailProcessor {
      @Process('send')
      send(@JobRef() _job: Job, @JobData() letter: { to: string }, @JobData('to') to: string) {
        return [letter.to, to];
      }

      @Process('told')
      told(@JobData(new ValidationPipe({ expectedType: Letter })) letter: unknown) {
        return letter;
      }
    }
    const [, logger] = await startWith(EmailProcessor);

    expect(logger.messages('warn')).toEqual([
      expect.stringMatching(
        /^LANE_TYPE_METADATA {2}A validation pipe acts on parameter 1 of EmailProcessor\.send,/,
      ),
      expect.stringContaining('parameter 0 of EmailProcessor.told'),
    ]);
  });

  it('refuses options that it does not know', () => {
    expect(() => JobData({ shema: {} } as never)).toThrow('Did you mean "schema"?');
  });
});

describe('arguments of a handler', () => {
  it('NA-4-30 are its job, context, headers and signal, on which no pipe of the class acts', async () => {
    const refuseAll: PipeTransform = {
      transform(value: unknown, { type }) {
        if (typeof value !== 'string') throw new TypeError(`${type} came to a pipe`);
        return value;
      },
    };
    @Processor('email')
    @UsePipes(refuseAll)
    class EmailProcessor {
      @Process('send')
      send(
        @JobSignal() signal: AbortSignal,
        @JobHeader('X-Copies', ParseIntPipe) copies: number,
        @JobRef() job: Job,
        @JobCtx() ctx: JobContext,
        @JobHeader('x-tenant-id') tenant: string,
      ) {
        return [
          signal === ctx.signal,
          ctx.job === job,
          ctx === currentJob(),
          copies,
          tenant,
          arguments.length,
        ];
      }
    }
    const [queue] = await startWith(EmailProcessor);

    const job = await run(queue, {}, { headers: { 'x-copies': '3', 'X-Tenant-Id': '7' } });

    expect(job.failedReason).toBeUndefined();
    expect(job.returnvalue).toEqual([true, true, true, 3, '7', 5]);
    const without = await run(queue, {}, { headers: { 'x-copies': 'a', 'x-tenant-id': '7' } });
    expect(without.failedCode).toBe('invalid');
    expect(() => JobHeader('no name')).toThrow('"no name" is no name');
  });

  it('NA-4-31 come from decorators of createParamDecorator, which are given the context of the job', async () => {
    const Part = createParamDecorator((name: string, context: ExecutionContext) => [
      context.getType(),
      context.getHandler().name,
      switchToLane(context).getData<Record<string, unknown>>()[name],
    ]);
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(@JobData('a') a: number, @Part('b') b: unknown) {
        return [a, b];
      }
    }
    const [queue] = await startWith(EmailProcessor);

    expect((await run(queue, { a: 1, b: 2 })).returnvalue).toEqual([1, ['lane', 'send', 2]]);
  });

  it('are undefined where a decorator is for requests, of which the start warns', async () => {
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(@JobData('a') a: number, @Query('b') b: unknown) {
        return [a, b === undefined];
      }
    }
    const [queue, logger] = await startWith(EmailProcessor);

    expect((await run(queue, { a: 1, b: 2 })).returnvalue).toEqual([1, true]);
    expect(logger.messages('warn')).toEqual([
      expect.stringContaining('Parameter 1 of EmailProcessor.send has a decorator for requests'),
    ]);
  });

  it('may be those of an override in a subclass, or inherited from its base', async () => {
    abstract class Base {
      @Process('kept')
      kept(@JobData('a') a: number) {
        return a;
      }

      @Process('replaced')
      replaced(@JobData('a') a: number) {
        return a;
      }
    }
    @Processor('email')
    class EmailProcessor extends Base {
      @Process('replaced')
      override replaced(@JobData('b') b: number) {
        return b;
      }
    }
    const [queue] = await startWith(EmailProcessor);

    expect((await run(queue, { a: 1, b: 2 }, {}, 'kept')).returnvalue).toBe(1);
    expect((await run(queue, { a: 1, b: 2 }, {}, 'replaced')).returnvalue).toBe(2);
  });
});

describe('the current job', () => {
  it('NA-5-27 stands beside a context of AsyncLocalStorage that an interceptor opens', async () => {
    const tenants = new AsyncLocalStorage<string>();
    @Injectable()
    class TenantInterceptor implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler) {
        const tenant = switchToLane(context).getHeader('x-tenant-id')!;
        return new Observable((subscriber) => tenants.run(tenant, () => next.handle().subscribe(subscriber)));
      }
    }
    @Processor('email')
    @UseInterceptors(TenantInterceptor)
    class EmailProcessor {
      @Process('send')
      async send(@JobData() data: number) {
        await new Promise((resolve) => setImmediate(resolve));
        return [tenants.getStore(), currentJob()?.data === data, currentJob()?.headers['x-tenant-id']];
      }
    }
    const [queue] = await startWith(EmailProcessor);

    const jobs = await Promise.all(
      ['7', '8'].map((tenant, index) => run(queue, index, { headers: { 'x-tenant-id': tenant } })),
    );

    expect(jobs.map(({ returnvalue }) => returnvalue as unknown)).toEqual([
      ['7', true, '7'],
      ['8', true, '8'],
    ]);
  });

  it('NA-6-05 NA-6-06 is injected into request-scoped providers, by each of its tokens', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Mailer {
      constructor(
        @InjectJob() readonly job: JobContext,
        @Inject(REQUEST) readonly request: unknown,
        @Inject(JOB_REF) readonly ref: unknown,
      ) {}
    }
    @Processor('email')
    class EmailProcessor {
      constructor(@Inject(Mailer) private readonly mailer: Mailer) {}

      @Process('send')
      send(@JobCtx() ctx: JobContext) {
        const { job, request, ref } = this.mailer;
        return [job === ctx, request === ctx, ref === ctx, job.data as unknown, currentJob() === ctx];
      }
    }
    const [queue] = await startWith(EmailProcessor, Mailer);

    expect((await run(queue, 5)).returnvalue).toEqual([true, true, true, 5, true]);
  });
});
