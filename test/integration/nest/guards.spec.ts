import { describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type Provider,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  type Job,
  type JobContext,
  LaneExecutionContext,
  LaneModule,
  NotALaneContextError,
  Process,
  Processor,
  RateLimited,
  snooze,
  switchToLane,
  UnrecoverableError,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { from, of } from 'rxjs';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
guardAgainstLeaks();

async function startWith(...providers: Provider[]) {
  const app = await apps.start({
    imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
    providers,
  });
  return queueOf(app, 'email');
}

/** A guard that answers, or throws, what a test says. */
function guardThat(canActivate: CanActivate['canActivate']): CanActivate {
  return { canActivate };
}

function throwing(thrown: unknown): CanActivate {
  return guardThat(() => {
    throw thrown;
  });
}

describe('guards of job handlers', () => {
  it.each([
    ['a value', () => false],
    ['a promise', () => Promise.resolve(false)],
    ['an Observable', () => of(false)],
  ])('NA-5-07 that return false, as %s, fail the job as rejected, without retry', async (_, answer) => {
    let runs = 0;
    @Processor('email')
    class EmailProcessor {
      @UseGuards(guardThat(answer))
      @Process('send')
      send() {
        runs += 1;
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}, { attempts: 3 }));

    expect(await job.getState()).toBe('failed');
    expect(job.failedCode).toBe('rejected');
    expect(job.failedReason).toBe(
      `A guard of EmailProcessor.send has rejected job "send" of queue "email". It is not tried again by itself; job.retry() has it run once more.`,
    );
    expect(job.attemptsMade).toBe(1);
    expect(runs).toBe(0);
  });

  it('let jobs pass with true, of class and method, of which both have to agree', async () => {
    const asked: string[] = [];
    const saying = (name: string, answer: boolean) =>
      guardThat(() => {
        asked.push(name);
        return from([answer]);
      });
    @UseGuards(saying('class', true))
    @Processor('email')
    class EmailProcessor {
      @UseGuards(saying('method', true))
      @Process('send')
      send() {
        return 'sent';
      }

      @UseGuards(saying('no', false))
      @Process('refuse')
      refuse() {}
    }
    const queue = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    expect((await ended(queue, await queue.add('refuse', {}))).failedCode).toBe('rejected');
    expect(asked).toEqual(['class', 'method', 'class', 'no']);
  });

  it('NA-5-09 that throw an error are a failed attempt, unless the error says otherwise', async () => {
    @Processor('email')
    class EmailProcessor {
      @UseGuards(throwing(new Error('no tenant')))
      @Process('retried')
      retried() {}

      @UseGuards(throwing(new UnrecoverableError('no such tenant')))
      @Process('final')
      final() {}
    }
    const queue = await startWith(EmailProcessor);

    const retried = await ended(queue, await queue.add('retried', {}, { attempts: 2 }));
    const final = await ended(queue, await queue.add('final', {}, { attempts: 2 }));

    expect([retried.failedReason, retried.failedCode, retried.attemptsMade]).toEqual([
      'no tenant',
      undefined,
      2,
    ]);
    expect([final.failedReason, final.attemptsMade]).toEqual(['no such tenant', 1]);
  });

  it('NA-5-03 NA-5-04 are classes with dependencies, and find metadata of class and handler', async () => {
    @Injectable()
    class Tenants {
      isActive(tenant: string) {
        return tenant === 'acme';
      }
    }
    const seen: unknown[] = [];
    @Injectable()
    class TenantGuard implements CanActivate {
      constructor(
        private readonly tenants: Tenants,
        private readonly reflector: Reflector,
      ) {}

      canActivate(context: ExecutionContext) {
        const targets = [context.getHandler(), context.getClass()];
        seen.push(context.getType(), ...targets, this.reflector.getAllAndMerge('roles', targets));
        return this.tenants.isActive(switchToLane(context).getData<string>('tenant'));
      }
    }
    @SetMetadata('roles', ['mail'])
    @UseGuards(TenantGuard)
    @Processor('email')
    class EmailProcessor {
      @SetMetadata('roles', ['sender'])
      @Process('send')
      send() {
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor, Tenants);

    expect((await ended(queue, await queue.add('send', { tenant: 'acme' }))).returnvalue).toBe('sent');
    expect((await ended(queue, await queue.add('send', { tenant: 'other' }))).failedCode).toBe('rejected');
    expect(seen.slice(0, 4)).toEqual([
      'lane',
      Object.getOwnPropertyDescriptor(EmailProcessor.prototype, 'send')!.value,
      EmailProcessor,
      ['sender', 'mail'],
    ]);
  });

  it('NA-5-05 NA-5-06 learn all about the job', async () => {
    const seen: unknown[] = [];
    let args: [Job, JobContext] | undefined;
    @Processor('email')
    class EmailProcessor {
      @UseGuards(
        guardThat((context) => {
          args = context.getArgs<[Job, JobContext]>();
          const lane = LaneExecutionContext.create(context);
          seen.push(
            lane.getJob() === args[0],
            lane.getContext() === args[1],
            lane.getSignal() === args[1].signal,
            lane.getData(),
            lane.getData('items.1.id'),
            lane.getData('items.length.x'),
            lane.getData('constructor'),
            lane.getHeader('X-Tenant-Id'),
            lane.getHeader('other'),
            lane.getQueue(),
            lane.getJobName(),
            lane.getAttempt(),
          );
          return true;
        }),
      )
      @Process('send')
      send(...given: unknown[]) {
        return [given.length, given[0] === args![0], given[1] === args![1]];
      }
    }
    const queue = await startWith(EmailProcessor);
    const data = { items: [{ id: 'a' }, { id: 'b' }] };

    const job = await ended(queue, await queue.add('send', data, { headers: { 'x-tenant-id': 'acme' } }));

    expect(job.returnvalue).toEqual([2, true, true]);
    expect(seen).toEqual([
      true,
      true,
      true,
      data,
      'b',
      undefined,
      undefined,
      'acme',
      undefined,
      'email',
      'send',
      1,
    ]);
  });

  it('are told when they ask for a job that is none', () => {
    const host = { getType: () => 'http' } as unknown as ExecutionContext;

    expect(() => switchToLane(host)).toThrow(NotALaneContextError);
    expect(() => switchToLane(host)).toThrow(
      `The context is of type "http"; it must be "lane", the type of job handlers. Ask before: context.getType<LaneContextType>() === 'lane'.`,
    );
  });

  it('NA-5-08 that throw snooze or RateLimited hold their jobs back, at no cost of an attempt', async () => {
    const asked: string[] = [];
    const onceThrowing = (name: string, thrown: unknown) =>
      guardThat(() => {
        asked.push(name);
        if (asked.filter((one) => one === name).length === 1) {
          throw thrown;
        }
        return true;
      });
    @Processor('email')
    class EmailProcessor {
      @UseGuards(onceThrowing('snooze', snooze(5)))
      @Process('snoozed')
      snoozed() {
        return 'sent';
      }

      @UseGuards(onceThrowing('limit', new RateLimited(5)))
      @Process('limited')
      limited() {
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor);

    const snoozed = await ended(queue, await queue.add('snoozed', {}));
    const limited = await ended(queue, await queue.add('limited', {}));

    expect([snoozed.returnvalue, snoozed.attemptsMade]).toEqual(['sent', 1]);
    expect([limited.returnvalue, limited.attemptsMade]).toEqual(['sent', 1]);
    expect(asked).toEqual(['snooze', 'snooze', 'limit', 'limit']);
  });
});
