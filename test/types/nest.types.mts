// What the Nest module accepts, and what does not compile.

import {
  type Job,
  type JobContext,
  LaneModule,
  type LaneOptionsFactory,
  OnJobExhausted,
  OnQueueEvent,
  OnWorkerEvent,
  Process,
  Processor,
  type QueueEventOf,
  QueueEventsListener,
  type QueueFactoryOptions,
  getQueueToken,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

LaneModule.forRoot();
LaneModule.forRoot({ backend: memory(), defaults: { job: { attempts: 3 }, worker: { concurrency: 5 } } });
LaneModule.forRoot({ backend: 'memory:', shutdown: { drain: '20s', abort: 4_000, close: '3s' } });
LaneModule.forRoot('reports');
LaneModule.forRoot('reports', { backend: memory() });
// @ts-expect-error -- no such option
LaneModule.forRoot({ connection: { host: 'localhost' } });
// @ts-expect-error -- an id cannot be a default
LaneModule.forRoot({ defaults: { job: { jobId: 'once' } } });
// @ts-expect-error -- how workers start is the module's business
LaneModule.forRoot({ defaults: { worker: { autorun: false } } });
// @ts-expect-error -- the name comes first
LaneModule.forRoot({ backend: memory() }, 'reports');

class Settings implements LaneOptionsFactory {
  createLaneOptions() {
    return { backend: memory() };
  }
}

LaneModule.forRootAsync({ useFactory: () => ({ backend: 'memory:' }) });
LaneModule.forRootAsync({
  useFactory: async (settings: Settings) => settings.createLaneOptions(),
  inject: [Settings],
});
LaneModule.forRootAsync('reports', { useClass: Settings });
LaneModule.forRootAsync('reports', { useExisting: Settings });
// @ts-expect-error -- a class without createLaneOptions()
LaneModule.forRootAsync({ useClass: Date });
// @ts-expect-error -- no such option
LaneModule.forRootAsync({ useFactory: () => ({ prefix: 'bull' }) });

LaneModule.registerQueue('email', {
  name: 'exports',
  connection: 'reports',
  defaults: { job: { delay: '1s' } },
});
// @ts-expect-error -- a queue has a name
LaneModule.registerQueue({ defaults: {} });
// @ts-expect-error -- no such option
LaneModule.registerQueue({ name: 'email', defaultJobOptions: {} });
// @ts-expect-error -- a connection is named, not described
LaneModule.registerQueue({ name: 'email', connection: { host: 'localhost' } });

LaneModule.registerQueueAsync({ name: 'email', connection: 'reports', useFactory: () => ({ defaults: {} }) });
// @ts-expect-error -- T-N09: the name stands beside the factory
LaneModule.registerQueueAsync({ useFactory: () => ({ name: 'email' }) });
// @ts-expect-error -- T-N09: not inside it
LaneModule.registerQueueAsync({ name: 'email', useFactory: () => ({ name: 'email' }) });
// @ts-expect-error -- T-N09: nor when it is asynchronous
LaneModule.registerQueueAsync({ name: 'email', useFactory: async () => ({ name: 'email', defaults: {} }) });
// @ts-expect-error -- T-N09: nor the connection
LaneModule.registerQueueAsync({ name: 'email', useFactory: () => ({ connection: 'reports' }) });
// @ts-expect-error -- T-N09: nor by way of a variable
const made: QueueFactoryOptions = { name: 'email' };
void made;

export const token: string = getQueueToken('email', 'reports');

@Processor({ queue: 'exports', connection: 'reports' }, { concurrency: 2, lockDuration: '1m' })
export class ExportsProcessor {
  @Process('run', { concurrency: 1 })
  async run(job: Job<{ id: string }>, { signal }: JobContext): Promise<string> {
    signal.throwIfAborted();
    return job.data.id;
  }

  @Process({ concurrency: 1 })
  other(): void {}

  @OnWorkerEvent('completed')
  onCompleted(job: Job): void {
    void job;
  }

  // @ts-expect-error -- no such event
  @OnWorkerEvent('complete')
  onComplete(): void {}
}

// @ts-expect-error -- how a worker stops is the module's business
Processor('email', { shutdown: { drain: '1s' } });
// @ts-expect-error -- no such option
Process('send', { concurency: 1 });

// What `defineQueue` makes carries the names of its jobs and the types of their results.
interface Email {
  readonly name: string;
  readonly types?: { readonly name: 'send' | 'digest'; readonly result: { messageId: string } | number };
}

@QueueEventsListener({ queue: 'email', connection: 'reports' })
export class EmailEvents {
  @OnQueueEvent('completed')
  onCompleted({ jobId, returnvalue }: QueueEventOf<Email, 'completed'>): void {
    const result: { messageId: string } | number = returnvalue;
    // @ts-expect-error -- nor is it less than that
    const text: string = returnvalue;
    void [jobId, result, text];
  }

  @OnQueueEvent('added')
  onAdded({ name }: QueueEventOf<Email, 'added'>): void {
    const known: 'send' | 'digest' = name;
    void known;
  }

  @OnQueueEvent('failed')
  @OnQueueEvent('gap')
  onOthers(event: QueueEventOf<'email', 'failed' | 'gap'>, id: string): void {
    void [event.type === 'gap' ? event.from : event.failedReason, id];
  }

  // @ts-expect-error -- no such event
  @OnQueueEvent('complete')
  onComplete(): void {}

  @OnJobExhausted('send')
  gaveUp(job: Job, error: Error): void {
    void [job, error];
  }

  // @ts-expect-error -- names of jobs are texts
  @OnJobExhausted(17)
  never(): void {}
}

// A queue without a definition: results can be anything.
declare const untyped: QueueEventOf<unknown, 'completed'>;
// @ts-expect-error -- anything is no text
export const text: string = untyped.returnvalue;
