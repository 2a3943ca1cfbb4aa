import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  ParseIntPipe,
  type PipeTransform,
  type Provider,
  ServiceUnavailableException,
  UnprocessableEntityException,
  UsePipes,
} from '@nestjs/common';
import {
  InvalidDataError,
  LaneModule,
  OnWorkerEvent,
  Process,
  Processor,
  snooze,
  switchToLane,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

const Field = createParamDecorator((path: string, context: ExecutionContext): unknown =>
  switchToLane(context).getData(path),
);

async function startWith(...providers: Provider[]) {
  const logger = new RecordingLogger();
  const app = await apps.start(
    {
      imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
      providers,
    },
    { logger },
  );
  return { queue: queueOf(app, 'email'), logger };
}

function pipeThat(transform: (value: unknown) => unknown): PipeTransform {
  return { transform };
}

describe('pipes of job handlers', () => {
  it('transform decorated parameters: class-wide, method-wide, then those of the parameter', async () => {
    @Injectable()
    class Marker {
      readonly mark = '!';
    }
    @Injectable()
    class MarkPipe implements PipeTransform {
      constructor(private readonly marker: Marker) {}

      transform(value: unknown) {
        return `${String(value)}${this.marker.mark}`;
      }
    }
    @UsePipes(pipeThat((value) => `${String(value)}1`))
    @Processor('email')
    class EmailProcessor {
      @UsePipes(pipeThat((value) => `${String(value)}2`))
      @Process('send')
      send(@Field('to', MarkPipe) to: string, @Field('cc') cc: string, ...rest: unknown[]) {
        return [to, cc, rest.length];
      }
    }
    const { queue } = await startWith(EmailProcessor, Marker);

    const job = await ended(queue, await queue.add('send', { to: 'ann', cc: 'bob' }));

    expect(job.returnvalue).toEqual(['ann12!', 'bob12', 0]);
  });

  it('NA-5-10 that throw fail the job as invalid, without retry, with what is wrong in the reason', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const throwing = (thrown: unknown) =>
      pipeThat(() => {
        throw thrown;
      });
    @Processor('email')
    class EmailProcessor {
      @Process('number')
      number(@Field('id', ParseIntPipe) id: number) {
        runs += id;
      }

      @Process('fields')
      fields(
        @Field('', throwing(new BadRequestException({ message: ['to must be an email', 'cc is long'] })))
        data: unknown,
      ) {
        return data;
      }

      @Process('grouped')
      grouped(
        @Field('', throwing(new UnprocessableEntityException({ message: { to: ['must be an email'] } })))
        data: unknown,
      ) {
        return data;
      }

      @Process('plain')
      plain(@Field('', throwing('not a date')) data: unknown) {
        return data;
      }

      @OnWorkerEvent('failed')
      onFailed(_: unknown, error: unknown) {
        errors.push(error);
      }
    }
    const { queue } = await startWith(EmailProcessor);
    const failed = async (name: string) => {
      const job = await ended(queue, await queue.add(name, { id: 'secret' }, { attempts: 3 }));
      expect([job.failedCode, job.attemptsMade]).toEqual(['invalid', 1]);
      return job.failedReason;
    };

    expect(await failed('number')).toBe(
      'The data of job "number" of queue "email" is invalid: Validation failed (numeric string is expected). Correct it ' +
        'where the job is added.',
    );
    expect(await failed('fields')).toContain('is invalid: to must be an email; cc is long. Correct');
    expect(await failed('grouped')).toContain('is invalid: to: must be an email. Correct');
    expect(await failed('plain')).toContain('is invalid: not a date. Correct');
    expect(runs).toBe(0);
    expect(errors[2]).toBeInstanceOf(InvalidDataError);
    expect(errors[2]).toMatchObject({
      jobName: 'grouped',
      issues: [{ path: 'to', message: 'must be an email' }],
      cause: expect.any(UnprocessableEntityException),
    });
  });

  it('are retried when the fault is not with the data: a status of 500 and above, or what a decorator throws', async () => {
    const Broken = createParamDecorator(() => {
      throw new Error('no user');
    });
    @Processor('email')
    class EmailProcessor {
      @Process('away')
      away(
        @Field(
          '',
          pipeThat(() => {
            throw new ServiceUnavailableException('the database is away');
          }),
        )
        data: unknown,
      ) {
        return data;
      }

      @Process('broken')
      broken(@Broken() user: unknown) {
        return user;
      }
    }
    const { queue } = await startWith(EmailProcessor);

    const away = await ended(queue, await queue.add('away', {}, { attempts: 2 }));
    const broken = await ended(queue, await queue.add('broken', {}, { attempts: 2 }));

    expect([away.failedReason, away.failedCode, away.attemptsMade]).toEqual([
      'the database is away',
      undefined,
      2,
    ]);
    expect([broken.failedReason, broken.failedCode, broken.attemptsMade]).toEqual(['no user', undefined, 2]);
  });

  it('hold a job back that they throw snooze for', async () => {
    let asked = 0;
    const heldBack: unknown = snooze(5);
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send(
        @Field(
          'to',
          pipeThat((value) => {
            asked += 1;
            if (asked === 1) {
              throw heldBack;
            }
            return value;
          }),
        )
        to: string,
      ) {
        return to;
      }
    }
    const { queue } = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('send', { to: 'ann' }))).returnvalue).toBe('ann');
    expect(asked).toBe(2);
  });

  it('are a warning on a handler without a decorated parameter, on which they could not act', async () => {
    @Processor('email')
    class EmailProcessor {
      @UsePipes(pipeThat((value) => value))
      @Process('send')
      send() {}
    }
    const { logger } = await startWith(EmailProcessor);

    expect(logger.messages('warn')).toEqual([
      'The pipes of EmailProcessor.send have nothing to act on: they are for parameters that a decorator fills, and it has none. Decorate a parameter, or remove the pipes.',
    ]);
  });
});
