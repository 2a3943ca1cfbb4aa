import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { type Job, LaneModule, OnWorkerEvent, Process, Processor } from 'nestjs-lane';
import type { LaneBackend, OpenQueueRequest, QueueBackend } from 'nestjs-lane/contract';
import { memory } from 'nestjs-lane/memory';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

/** A store that notes who uses it, and for what. */
class CountingBackend implements LaneBackend {
  readonly #inner = memory();
  readonly kind = this.#inner.kind;
  readonly capabilities = this.#inner.capabilities;
  readonly opened: string[] = [];

  openQueue(request: OpenQueueRequest): QueueBackend {
    this.opened.push(`${request.role} of ${request.queueName}`);
    return this.#inner.openQueue(request);
  }
}

describe('T-N04 a module that is imported several times', () => {
  it('has one worker and one queue, and each listener hears once', async () => {
    const backend = new CountingBackend();
    const heard: string[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process()
      handle() {}

      @OnWorkerEvent('completed')
      onCompleted(job: Job) {
        heard.push(job.id);
      }
    }
    @Module({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    })
    class EmailModule {}
    @Module({
      imports: [EmailModule, LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
    })
    class SignUpModule {}
    @Module({
      imports: [
        EmailModule,
        LaneModule.forRootAsync({ useFactory: () => ({ backend }) }),
        LaneModule.registerQueueAsync({ name: 'email', useFactory: () => ({}) }),
      ],
    })
    class BillingModule {}
    const app = await apps.start({ imports: [SignUpModule, BillingModule, EmailModule] });
    const queue = queueOf(app, 'email');

    const job = await ended(queue, await queue.add('welcome', {}));
    await waitUntil(() => heard.length > 0, { reason: 'the listener was called' });

    expect(heard).toEqual([job.id]);
    expect(backend.opened).toEqual(['producer of email', 'worker of email']);
  });

  it('has one store, when that is made by default', async () => {
    const email = LaneModule.registerQueue('email');
    @Module({ imports: [LaneModule.forRoot(), email] })
    class FirstModule {}
    @Module({ imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')] })
    class SecondModule {}
    @Processor('email')
    class EmailProcessor {
      @Process()
      handle() {
        return 'handled';
      }
    }
    const app = await apps.start({
      imports: [FirstModule, SecondModule, LaneModule.forRoot()],
      providers: [EmailProcessor],
    });
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('welcome', {}))).returnvalue).toBe('handled');
  });

  it('needs no worker where nothing handles its jobs', async () => {
    const backend = new CountingBackend();
    await apps.start({ imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')] });

    expect(backend.opened).toEqual(['producer of email']);
  });
});

describe('T-N05 two processor classes of one queue', () => {
  const gate = new Gate();

  @Processor('email')
  class WelcomeProcessor {
    @Process('welcome')
    welcome() {
      return 'WelcomeProcessor';
    }

    @Process('slow')
    slow(job: Job) {
      return gate.enter(job);
    }
  }
  @Module({ imports: [LaneModule.registerQueue('email')], providers: [WelcomeProcessor] })
  class WelcomeModule {}

  @Processor('email', { concurrency: 3, unknownJob: 'fail' })
  class DigestProcessor {
    @Process('digest')
    digest() {
      return 'DigestProcessor';
    }
  }
  @Module({ imports: [LaneModule.registerQueue('email')], providers: [DigestProcessor] })
  class DigestModule {}

  it('NA-4-01 each get the jobs of their names', async () => {
    const app = await apps.start({ imports: [LaneModule.forRoot(), WelcomeModule, DigestModule] });
    const queue = queueOf(app, 'email');
    const names = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 'welcome' : 'digest'));

    const added = await queue.addBulk(names.map((name) => ({ name, data: {} })));
    const jobs = await Promise.all(added.map((job) => ended(queue, job)));

    expect(jobs.map(({ returnvalue }) => returnvalue as unknown)).toEqual(
      names.map((name) => (name === 'welcome' ? 'WelcomeProcessor' : 'DigestProcessor')),
    );
    const unknown = await ended(queue, await queue.add('goodbye', {}));
    expect(unknown).toMatchObject({ failedCode: 'no-handler', attemptsMade: 1 });
    expect(unknown.failedReason).toContain('Handlers exist for: welcome, slow, digest.');
  });

  it('NA-4-01 have the concurrency of the queue together, whoever gave it', async () => {
    const app = await apps.start({ imports: [LaneModule.forRoot(), WelcomeModule, DigestModule] });
    const queue = queueOf(app, 'email');

    await queue.addBulk(Array.from({ length: 10 }, () => ({ name: 'slow', data: {} })));
    await waitUntil(() => gate.running === 3, { reason: 'the worker is full' });

    expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 3, waiting: 7 });
    gate.open();
  });

  it('may both give an option, when they agree', async () => {
    @Processor('email', { concurrency: 3, lockDuration: '1m' })
    class OtherProcessor {
      @Process('other')
      other() {}
    }
    @Processor('email', { lockDuration: 60_000 })
    class LastProcessor {
      @Process('last')
      last() {
        return 'last';
      }
    }
    const app = await apps.start({
      imports: [LaneModule.forRoot(), WelcomeModule, DigestModule],
      providers: [OtherProcessor, LastProcessor],
    });
    const queue = queueOf(app, 'email');

    expect((await ended(queue, await queue.add('last', {}))).returnvalue).toBe('last');
  });
});
