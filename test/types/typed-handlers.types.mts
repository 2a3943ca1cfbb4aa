// Handlers of a definition return what its jobs result in, in whatever form; handlers of a name return what they like.

import {
  complete,
  defineQueue,
  discard,
  getQueueToken,
  InjectQueue,
  job,
  type JobOf,
  LaneModule,
  Process,
  Processor,
  type QueueOf,
  snooze,
} from 'nestjs-lane';
import type { LaneHarness } from 'nestjs-lane/testing';
import { EMPTY, type Observable, of } from 'rxjs';

interface Receipt {
  messageId: string;
}
const receipt: Receipt = { messageId: 'm1' };

export const Email = defineQueue('email', {
  send: job<{ to: string }, Receipt>(),
  sweep: job<{ day: string }, void>(),
  any: job<string>(),
});

// NA-3-02
LaneModule.registerQueue('plain', Email, { name: Email, connection: 'reports' });
LaneModule.registerQueueAsync({ name: Email, useFactory: () => ({}) });
getQueueToken(Email, 'reports');

export class Producer {
  constructor(@InjectQueue(Email) readonly email: QueueOf<typeof Email>) {}
}

// NA-3-05
@Processor(Email, { concurrency: 2 })
export class Right {
  @Process(Email.jobs.send)
  value(each: JobOf<typeof Email, 'send'>): Receipt {
    return { messageId: each.data.to };
  }

  @Process(Email.jobs.send, { timeout: '1s' })
  async promise(): Promise<Receipt> {
    return Promise.resolve(receipt);
  }

  @Process(Email.jobs.send)
  observable(): Observable<Receipt> {
    return of(receipt);
  }

  @Process(Email.jobs.send)
  progress(): Observable<number | Receipt> {
    return of(1, receipt);
  }

  @Process(Email.jobs.send)
  async *generator(): AsyncGenerator<number, Receipt> {
    yield await Promise.resolve(1);
    return receipt;
  }

  @Process(Email.jobs.send, { emissions: 'ignore' })
  async *yields(): AsyncGenerator<number | Receipt, void> {
    yield await Promise.resolve(1);
    yield receipt;
  }

  @Process(Email.jobs.send)
  iterable(): AsyncIterable<number | Receipt> {
    return this.yields();
  }

  @Process(Email.jobs.send)
  async outcome() {
    return Promise.resolve(receipt.messageId === '' ? snooze('1m') : discard());
  }

  @Process(Email.jobs.send)
  completes() {
    return complete(receipt);
  }

  @Process(Email.jobs.send)
  throws(): never {
    throw new Error();
  }

  @Process(Email.jobs.sweep)
  nothing(): void {}

  @Process(Email.jobs.any)
  whatever(): number {
    return 1;
  }

  // NA-3-06
  @Process('send')
  byName(): number {
    return 1;
  }
}

@Processor({ queue: Email, connection: 'reports' })
export class Wrong {
  // @ts-expect-error -- another value
  @Process(Email.jobs.send)
  value(): string {
    return '';
  }

  // @ts-expect-error -- a promise of another value
  @Process(Email.jobs.send)
  async promise(): Promise<{ id: string }> {
    return Promise.resolve({ id: '' });
  }

  // @ts-expect-error -- an Observable of other values
  @Process(Email.jobs.send)
  observable(): Observable<number> {
    return EMPTY;
  }

  // @ts-expect-error -- a generator that returns nothing and yields other values
  @Process(Email.jobs.send)
  async *generator(): AsyncGenerator<number, void> {
    yield await Promise.resolve(1);
  }

  // @ts-expect-error -- a generator that returns another value
  @Process(Email.jobs.send)
  async *returns(): AsyncGenerator<Receipt, string> {
    yield await Promise.resolve(receipt);
    return '';
  }

  // @ts-expect-error -- an iterable of other values
  @Process(Email.jobs.send)
  iterable(): AsyncIterable<string> {
    return this.returns() as never;
  }

  // @ts-expect-error -- no way to treat emissions
  @Process(Email.jobs.send, { emissions: 'output' })
  emissions(): Receipt {
    return receipt;
  }

  // @ts-expect-error -- completes with another value
  @Process(Email.jobs.send)
  completes() {
    return complete(7);
  }

  // @ts-expect-error -- nothing
  @Process(Email.jobs.send)
  nothing(): void {}
}

// @ts-expect-error -- no such job
void Email.jobs.sned;

export async function performs(lane: LaneHarness): Promise<void> {
  const sent: Receipt = await lane.perform(Right, Email.jobs.send, { to: 'ann' });
  const anything: unknown = await lane.perform(Right, 'send', { to: sent.messageId });
  void anything;
  // @ts-expect-error -- other data
  await lane.perform(Right, Email.jobs.send, { day: 'today' });
  // @ts-expect-error -- another result
  const day: string = await lane.perform(Right, Email.jobs.send, { to: 'ann' });
  void day;
}
