import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Scope } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { type Job, type JobContext, LaneModule, Process, Processor } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { queueOf, TestApps } from '../../support/nest-app';

const apps = new TestApps();
const { AbortController } = globalThis;
afterEach(() => {
  globalThis.AbortController = AbortController;
  jest.restoreAllMocks();
});
guardAgainstLeaks();

const JOBS = 200;
/** What the worker makes for itself, however many jobs there are. */
const FEW = JOBS / 4;

/** How many signals, timers and request scopes were made while all jobs of a name ran. */
async function madeFor(name: string) {
  let left = JOBS;
  let allRan = (): void => undefined;
  const ran = new Promise<void>((resolve) => (allRan = resolve));
  const count = <Result>(result: Result): Result => {
    left -= 1;
    if (left === 0) {
      allRan();
    }
    return result;
  };

  @Processor('email', { concurrency: 50 })
  class EmailProcessor {
    @Process('plain')
    async plain(job: Job, context: JobContext) {
      await Promise.resolve();
      return count([job.id, context.attempt]);
    }

    @Process('signalled')
    signalled(_: Job, { signal }: JobContext) {
      return count(signal.aborted);
    }

    @Process('timed', { timeout: '1m' })
    timed() {
      return count(true);
    }
  }

  @Processor('email')
  @Injectable({ scope: Scope.REQUEST })
  class ScopedProcessor {
    @Process('scoped')
    scoped() {
      return count(true);
    }
  }

  const app = await apps.start({
    imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
    providers: [EmailProcessor, ScopedProcessor],
  });
  let signals = 0;
  class CountedController extends AbortController {
    constructor() {
      super();
      signals += 1;
    }
  }
  globalThis.AbortController = CountedController;
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const scopes = jest.spyOn(ContextIdFactory, 'create');
  await queueOf(app, 'email').addBulk(Array.from({ length: JOBS }, () => ({ name, data: {} })));
  await ran;
  return { signals, timers: timers.mock.calls.length, scopes: scopes.mock.calls.length };
}

describe('the run of a job', () => {
  it('makes no signal, no timer and no request scope where nobody asks for one', async () => {
    const { signals, timers, scopes } = await madeFor('plain');

    expect(signals).toBeLessThan(FEW);
    expect(timers).toBeLessThan(FEW);
    expect(scopes).toBe(0);
  });

  it('makes a signal when it is read', async () => {
    const { signals, timers } = await madeFor('signalled');

    expect(signals).toBeGreaterThanOrEqual(JOBS);
    expect(timers).toBeLessThan(FEW);
  });

  it('makes a timer where there is a time limit', async () => {
    const { signals, timers } = await madeFor('timed');

    expect(timers).toBeGreaterThanOrEqual(JOBS);
    expect(signals).toBeLessThan(FEW);
  });

  it('makes a request scope where the class is made for each job', async () => {
    expect((await madeFor('scoped')).scopes).toBe(JOBS);
  });
});
