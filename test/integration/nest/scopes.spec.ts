import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Catch,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import {
  type ContextId,
  ContextIdFactory,
  type ContextIdStrategy,
  type HostComponentInfo,
  ModuleRef,
  REQUEST,
} from '@nestjs/core';
import {
  complete,
  type Job,
  type JobContext,
  LaneConfigError,
  LaneEvents,
  LaneModule,
  OnJobExhausted,
  OnQueueEvent,
  OnWorkerEvent,
  Process,
  Processor,
  type QueueEventOf,
  QueueEventsHost,
  QueueEventsListener,
  type WorkerEvent,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { heapInUse } from '../../support/heap-in-use';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

const made: unknown[] = [];
afterEach(() => {
  made.length = 0;
});

async function startWith(...providers: Provider[]) {
  const app = await apps.start({
    imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
    providers,
  });
  return queueOf(app, 'email');
}

describe('the scope of processors', () => {
  it('NA-6-01 is one object, whose pipeline is built once, unless something says otherwise', async () => {
    let reads = 0;
    const canActivate = () => true;
    @Injectable()
    class Instances {
      constructor() {
        made.push(this);
      }
    }
    @UseGuards({
      get canActivate() {
        reads += 1;
        return canActivate;
      },
    })
    @Processor('email')
    class EmailProcessor {
      constructor(readonly instances: Instances) {}

      @Process('send')
      send() {
        return reads;
      }
    }
    const queue = await startWith(EmailProcessor, Instances);
    const first = Number((await ended(queue, await queue.add('send', {}))).returnvalue);
    const second = Number((await ended(queue, await queue.add('send', {}))).returnvalue);
    const third = Number((await ended(queue, await queue.add('send', {}))).returnvalue);

    expect(made).toHaveLength(1);
    // Nest looks at the guards when it builds a pipeline, and calls them for each job.
    expect([second - first, third - second]).toEqual([1, 1]);
  });

  it('NA-6-02 NA-6-05 is a job each, where the class says so, with the context of the job as REQUEST', async () => {
    @Processor('email')
    @Injectable({ scope: Scope.REQUEST })
    class EmailProcessor {
      constructor(@Inject(REQUEST) private readonly request: JobContext) {
        made.push(this);
      }

      @Process('send')
      send(job: Job, context: JobContext) {
        return [this.request === context, this.request.job === job];
      }
    }
    const queue = await startWith(EmailProcessor);

    const jobs = await queue.addBulk([1, 2, 3].map((data) => ({ name: 'send', data })));
    for (const job of jobs) {
      expect((await ended(queue, job)).returnvalue).toEqual([true, true]);
    }

    expect(new Set(made).size).toBe(3);
  });

  it('NA-4-36 is what @Processor says of it', async () => {
    @Processor({ queue: 'email', scope: Scope.REQUEST })
    class EmailProcessor {
      constructor() {
        made.push(this);
      }

      @Process('send')
      send() {
        return made.length;
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe(1);
    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe(2);
  });

  it('NA-6-02 is a job each, where a dependency is request-scoped', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {
      constructor(@Inject(REQUEST) readonly request: JobContext<{ tenant: string }>) {}
    }
    @Injectable()
    class Mailer {
      constructor(readonly tenant: Tenant) {}
    }
    @Processor('email')
    class EmailProcessor {
      constructor(
        private readonly mailer: Mailer,
        private readonly moduleRef: ModuleRef,
      ) {
        made.push(this);
      }

      @Process('send')
      async send(_: Job, context: JobContext) {
        const id = ContextIdFactory.getByRequest(context as unknown as Record<string, unknown>);
        const tenant = await this.moduleRef.resolve(Tenant, id);
        return [this.mailer.tenant.request.data.tenant, tenant === this.mailer.tenant];
      }
    }
    const queue = await startWith(EmailProcessor, Mailer, Tenant);

    expect((await ended(queue, await queue.add('send', { tenant: 'a' }))).returnvalue).toEqual(['a', true]);
    expect((await ended(queue, await queue.add('send', { tenant: 'b' }))).returnvalue).toEqual(['b', true]);
    expect(new Set(made).size).toBe(2);
  });

  it('NA-6-03 is the application for a transient class: one object', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Mailer {}
    @Processor('email')
    @Injectable({ scope: Scope.TRANSIENT })
    class EmailProcessor {
      constructor(readonly mailer: Mailer) {
        made.push(this);
      }

      @Process('send')
      send() {
        return this.mailer instanceof Mailer;
      }
    }
    const queue = await startWith(EmailProcessor, Mailer);

    const jobs = await queue.addBulk([1, 2, 3].map((data) => ({ name: 'send', data })));
    for (const job of jobs) {
      expect((await ended(queue, job)).returnvalue).toBe(true);
    }

    expect(made).toHaveLength(1);
  });

  it('NA-6-09 fails the attempt when an object cannot be made, and the worker goes on', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {
      constructor(@Inject(REQUEST) { job }: JobContext) {
        if (job.attemptsMade === 0) {
          throw new Error('no such tenant');
        }
      }
    }
    @Processor('email')
    class EmailProcessor {
      constructor(readonly tenant: Tenant) {}

      @Process('send')
      send() {
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor, Tenant);

    const once = await ended(queue, await queue.add('send', {}));
    const twice = await ended(queue, await queue.add('send', {}, { attempts: 2 }));

    expect([once.failedReason, once.attemptsMade]).toEqual(['no such tenant', 1]);
    expect([twice.returnvalue, twice.attemptsMade]).toEqual(['sent', 2]);
  });

  it('LANE_SCOPE: is not lost to a decorator above, and is a scope', async () => {
    @Injectable()
    @Processor({ queue: 'email', scope: Scope.REQUEST })
    class LostProcessor {
      @Process('send')
      send() {}
    }
    @Processor({ queue: 'email', scope: 'request' as unknown as Scope })
    class OddProcessor {
      @Process('other')
      other() {}
    }
    const error: unknown = await startWith(LostProcessor, OddProcessor).catch((reason: unknown) => reason);

    expect((error as LaneConfigError).problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'LANE_SCOPE LostProcessor has not the scope "REQUEST" that @Processor gives it: another decorator above it says otherwise.',
      'LANE_SCOPE Option "scope" is "request"; it must be a Scope of @nestjs/common.',
    ]);
  });

  it('leaves nothing behind of the jobs that have ended', async () => {
    const references: WeakRef<object>[] = [];
    @Processor({ queue: 'email', scope: Scope.REQUEST })
    class EmailProcessor {
      constructor(@Inject(REQUEST) readonly request: JobContext) {
        references.push(new WeakRef(this));
      }

      @Process('send')
      send() {}
    }
    const queue = await startWith(EmailProcessor);
    for (let index = 0; index < 20; index += 1) {
      await ended(queue, await queue.add('send', {}));
    }
    expect(references).toHaveLength(20);

    // The collector may keep the newest for a while; what is held for good, all of it is.
    await waitUntil(
      () => {
        heapInUse();
        return references.filter((reference) => reference.deref() !== undefined).length <= 2;
      },
      { reason: 'the objects of ended jobs are gone' },
    );
  });
});

describe('the scope of listeners', () => {
  async function startListening(...providers: Provider[]) {
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
      providers,
    });
    return { app, queue: queueOf(app, 'email') };
  }

  it('NA-6-07 is an event each, where the class says so, with the event as REQUEST', async () => {
    const heard: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {}
    }
    @QueueEventsListener('email')
    @Injectable({ scope: Scope.REQUEST })
    class EmailEvents {
      constructor(@Inject(REQUEST) private readonly request: QueueEventOf<'email', 'completed'>) {
        made.push(this);
      }

      @OnQueueEvent('completed')
      onCompleted(event: QueueEventOf<'email', 'completed'>) {
        heard.push([event.jobId, this, this.request]);
        // What Nest notes with a request is not noted with what others are told.
        expect(Object.getOwnPropertySymbols(event)).toEqual([]);
        expect(this.request).toEqual({ ...event, headers: {} });
      }

      @OnQueueEvent('completed')
      again(event: QueueEventOf<'email', 'completed'>) {
        heard.push([event.jobId, this, this.request]);
      }
    }
    const { app, queue } = await startListening(EmailProcessor, EmailEvents);
    const ids = [await queue.add('send', {}), await queue.add('send', {})].map(({ id }) => id);
    await waitUntil(() => heard.length === 4, { reason: 'both ends were heard by both methods' });

    expect(made).toHaveLength(2);
    const [first, second] = made as { request: unknown }[];
    expect(heard).toEqual([
      [ids[0], first, first!.request],
      [ids[0], first, first!.request],
      [ids[1], second, second!.request],
      [ids[1], second, second!.request],
    ]);
    expect(app.get(LaneEvents).listenerFailures).toEqual([]);
  });

  it('NA-6-07 is the application for a transient class', async () => {
    let heard = 0;
    @QueueEventsListener('email')
    @Injectable({ scope: Scope.TRANSIENT })
    class EmailEvents {
      constructor() {
        made.push(this);
      }

      @OnQueueEvent('added')
      onAdded() {
        heard += 1;
      }
    }
    const { queue } = await startListening(EmailEvents);
    await queue.addBulk([1, 2, 3].map((data) => ({ name: 'send', data })));
    await waitUntil(() => heard === 3, { reason: 'all of them were heard' });

    expect(made).toHaveLength(1);
  });

  it('NA-6-07 is an event each for listeners to a worker and to last failures, whose REQUEST has the job', async () => {
    const heard: unknown[] = [];
    @Processor({ queue: 'email', scope: Scope.REQUEST })
    class EmailProcessor {
      constructor(@Inject(REQUEST) private readonly request: JobContext | WorkerEvent) {
        made.push(this);
      }

      @Process('send')
      send() {
        throw new Error('no server');
      }

      @OnJobExhausted()
      gaveUp(job: Job) {
        heard.push(['gave up', this.request.job === job, this.request.headers, 'attempt' in this.request]);
      }

      @OnWorkerEvent('failed')
      onFailed(job: Job, error: Error) {
        const { event, queue, connection, args, data } = this.request as WorkerEvent;
        expect({ event, queue, connection, args, data }).toEqual({
          event: 'failed',
          queue: 'email',
          connection: 'default',
          args: [job, error, 'active'],
          data: { to: 'ada' },
        });
        heard.push(['failed', this.request.job === job, this.request.headers]);
      }

      @OnWorkerEvent('drained')
      onDrained() {
        heard.push(['drained', this.request.job, this.request.headers]);
      }
    }
    const { app, queue } = await startListening(EmailProcessor);
    await queue.add('send', { to: 'ada' }, { headers: { 'x-tenant-id': 'a' } });
    await waitUntil(() => heard.length >= 3, { reason: 'everybody was told' });
    await app.close();

    const headers = { 'x-tenant-id': 'a' };
    expect(heard.slice(0, 3)).toEqual(
      expect.arrayContaining([
        ['gave up', true, headers, true],
        ['failed', true, headers],
        ['drained', undefined, {}],
      ]),
    );
    expect(made.length).toBe(heard.length + 1);
    expect(app.get(LaneEvents).listenerFailures).toEqual([]);
  });

  it('NA-11-17 LANE_SCOPE: is the application for a QueueEventsHost', async () => {
    @QueueEventsListener('email')
    @Injectable({ scope: Scope.REQUEST })
    class MovedEvents extends QueueEventsHost {}
    @QueueEventsListener('email')
    @Injectable({ scope: Scope.TRANSIENT })
    class OtherEvents extends QueueEventsHost {}

    const error: unknown = await startListening(MovedEvents, OtherEvents).catch((reason: unknown) => reason);

    expect((error as LaneConfigError).problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'LANE_SCOPE MovedEvents is request-scoped, or depends on a provider that is; a QueueEventsHost is one object for the life of the application.',
      'LANE_SCOPE OtherEvents is transient; a QueueEventsHost is one object for the life of the application.',
    ]);
  });
});

describe('the scope of enhancers', () => {
  it('NA-6-08 may be the job, of guards, pipes, interceptors and filters', async () => {
    class Scoped {
      constructor(@Inject(REQUEST) readonly request: JobContext) {
        made.push(this.constructor.name);
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class ScopedGuard extends Scoped implements CanActivate {
      canActivate(context: ExecutionContext) {
        return this.request === context.getArgs<[Job, JobContext]>()[1];
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class ScopedInterceptor extends Scoped implements NestInterceptor {
      intercept(...[, next]: Parameters<NestInterceptor['intercept']>) {
        made.push(`around ${this.request.job.name}`);
        return next.handle();
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class ScopedPipe extends Scoped implements PipeTransform {
      transform(value: unknown) {
        return `${String(value)} of ${this.request.job.name}`;
      }
    }
    @Catch()
    @Injectable({ scope: Scope.REQUEST })
    class ScopedFilter extends Scoped implements ExceptionFilter {
      catch(error: Error) {
        return complete(`${error.message}, ${this.request.job.name}`);
      }
    }
    const Data = createParamDecorator(
      (_, context: ExecutionContext): unknown => context.getArgs<[Job]>()[0].data,
    );
    @UseGuards(ScopedGuard)
    @UseFilters(ScopedFilter)
    @Processor('email')
    class EmailProcessor {
      @UseInterceptors(ScopedInterceptor)
      @UsePipes(ScopedPipe)
      @Process('send')
      send(@Data() data: string) {
        throw new Error(data);
      }
    }
    const queue = await startWith(EmailProcessor);

    expect((await ended(queue, await queue.add('send', 'data'))).returnvalue).toBe('data of send, send');
    expect([...made].sort()).toEqual([
      'ScopedFilter',
      'ScopedGuard',
      'ScopedInterceptor',
      'ScopedPipe',
      'around send',
    ]);
  });

  it('may be transient: one object for each class that has it', async () => {
    @Injectable()
    class Tenants {
      readonly known = ['acme'];
    }
    @Injectable({ scope: Scope.TRANSIENT })
    class TransientGuard implements CanActivate {
      constructor(private readonly tenants: Tenants) {}

      canActivate() {
        made.push(this);
        return this.tenants.known.length === 1;
      }
    }
    @UseGuards(TransientGuard)
    @Processor('email')
    class EmailProcessor {
      @Process('send')
      send() {
        return 'sent';
      }
    }
    const queue = await startWith(EmailProcessor, Tenants);

    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    expect((await ended(queue, await queue.add('send', {}))).returnvalue).toBe('sent');
    expect(made).toHaveLength(2);
    expect(new Set(made).size).toBe(1);
  });
});

describe('durable providers', () => {
  /** As Nest's documentation has it: by a header of the request. */
  class TenantStrategy implements ContextIdStrategy {
    readonly #tenants = new Map<string, ContextId>();

    attach(contextId: ContextId, request: { headers: Record<string, string> }) {
      const tenant = request.headers['x-tenant-id'] ?? 'none';
      const tenantId = this.#tenants.get(tenant) ?? ContextIdFactory.create();
      this.#tenants.set(tenant, tenantId);
      return {
        resolve: (info: HostComponentInfo) => (info.isTreeDurable ? tenantId : contextId),
        payload: { tenant },
      };
    }
  }
  afterEach(() => {
    ContextIdFactory.apply(undefined as unknown as ContextIdStrategy);
  });

  @Injectable({ scope: Scope.REQUEST, durable: true })
  class TenantPool {
    constructor(@Inject(REQUEST) readonly payload: { tenant: string }) {
      made.push(this);
    }
  }

  it('NA-6-04 NA-6-05 are shared by the jobs of a tenant, with the payload of the strategy as REQUEST', async () => {
    ContextIdFactory.apply(new TenantStrategy());
    @Processor('email')
    class EmailProcessor {
      constructor(private readonly pool: TenantPool) {}

      @Process('send')
      send() {
        return [this.pool.payload, made.indexOf(this.pool)];
      }
    }
    const queue = await startWith(EmailProcessor, TenantPool);
    const poolOf = async (tenant: string) =>
      (await ended(queue, await queue.add('send', {}, { headers: { 'x-tenant-id': tenant } })))
        .returnvalue as unknown;

    expect(await poolOf('a')).toEqual([{ tenant: 'a' }, 0]);
    expect(await poolOf('b')).toEqual([{ tenant: 'b' }, 1]);
    expect(await poolOf('a')).toEqual([{ tenant: 'a' }, 0]);
    expect(made).toHaveLength(2);
  });

  it('NA-6-07 are shared by what happens to the jobs of a tenant, and by the events of a queue, which name none', async () => {
    ContextIdFactory.apply(new TenantStrategy());
    const heard: unknown[] = [];
    @Processor('email')
    class EmailProcessor {
      constructor(private readonly pool: TenantPool) {}

      @Process('send')
      send() {
        throw new Error('no server');
      }

      @OnJobExhausted()
      gaveUp() {
        heard.push(['gave up', this.pool.payload.tenant]);
      }

      @OnWorkerEvent('failed')
      onFailed() {
        heard.push(['failed', this.pool.payload.tenant]);
      }
    }
    @QueueEventsListener('email')
    class EmailEvents {
      constructor(private readonly pool: TenantPool) {}

      @OnQueueEvent('failed')
      onFailed() {
        heard.push(['told', this.pool.payload.tenant]);
      }
    }
    const queue = await startWith(EmailProcessor, EmailEvents, TenantPool);

    await queue.add('send', {}, { headers: { 'x-tenant-id': 'a' } });
    await queue.add('send', {}, { headers: { 'x-tenant-id': 'a' } });
    await waitUntil(() => heard.length === 6, { reason: 'everybody was told of both' });

    expect(heard).toEqual(
      expect.arrayContaining([
        ['gave up', 'a'],
        ['failed', 'a'],
        ['told', 'none'],
      ]),
    );
    expect(made.map((pool) => (pool as TenantPool).payload.tenant).sort()).toEqual(['a', 'none']);
  });

  it('NA-6-05 leave others the context of the job, to which the payload is added', async () => {
    ContextIdFactory.apply(new TenantStrategy());
    @Processor({ queue: 'email', scope: Scope.REQUEST })
    class EmailProcessor {
      constructor(@Inject(REQUEST) private readonly request: JobContext & { tenant: string }) {}

      @Process('send')
      send(_: Job, context: JobContext) {
        return [this.request === context, this.request.tenant];
      }
    }
    const queue = await startWith(EmailProcessor);

    const job = await ended(queue, await queue.add('send', {}, { headers: { 'x-tenant-id': 'a' } }));

    expect(job.returnvalue).toEqual([true, 'a']);
  });
});
