import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { type Job, LaneEvents, LaneModule, ofType, Process, Processor, type Queue } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { firstValueFrom, lastValueFrom, type Observable, Subject, take, takeWhile, toArray } from 'rxjs';

import { FailingBackend } from '../../support/failing-backend';
import { Gate } from '../../support/gate';
import { guardAgainstLeaks, openResources } from '../../support/leak-guard';
import { turnOfTheEventLoop } from '../../support/manual-clock';
import { ended, queueOf, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

@Processor('email')
class EmailProcessor {
  readonly gate = new Gate();

  @Process('send')
  async send(job: Job) {
    await job.updateProgress(50);
    await this.gate.enter(job);
    return 'sent';
  }

  @Process('fail')
  fail() {
    throw new Error('no server');
  }
}

/** What a stream has brought until it came to its end. */
function all<Value>(stream: Observable<Value>): Promise<Value[]> {
  return firstValueFrom(stream.pipe(toArray()));
}

describe('LaneEvents', () => {
  it('NA-2-28 has the events of all queues with their queue and connection, and completes on close', async () => {
    @Injectable()
    class Watcher {
      readonly failed: unknown[] = [];
      isComplete = false;

      constructor(events: LaneEvents) {
        events.events$.pipe(ofType('waiting', 'failed')).subscribe({
          next: ({ type, queue, connection, jobId }) => this.failed.push([type, queue, connection, jobId]),
          complete: () => (this.isComplete = true),
        });
      }
    }
    const app = await apps.start({
      imports: [
        LaneModule.forRoot(),
        LaneModule.forRoot('other'),
        LaneModule.registerQueue('email', { name: 'reports', connection: 'other' }),
      ],
      providers: [EmailProcessor, Watcher],
    });
    const email = queueOf(app, 'email');
    const watcher = app.get(Watcher);

    const job = await ended(email, await email.add('fail', {}));
    const report = await queueOf(app, 'reports', 'other').add('make', {});
    await waitUntil(() => watcher.failed.length === 3, { reason: 'both queues were heard' });
    expect(watcher.isComplete).toBe(false);
    await app.close();

    expect(watcher.failed).toEqual([
      ['waiting', 'email', 'default', job.id],
      ['failed', 'email', 'default', job.id],
      ['waiting', 'reports', 'other', report.id],
    ]);
    expect(watcher.isComplete).toBe(true);
  });

  it('NA-2-28 reads nothing before somebody subscribes', async () => {
    const roles: string[] = [];
    const store = memory();
    const backend = new Proxy(store, {
      get: (target, key) =>
        key === 'openQueue'
          ? (request: Parameters<typeof store.openQueue>[0]) => {
              roles.push(request.role);
              return target.openQueue(request);
            }
          : (Reflect.get(target, key) as unknown),
    });
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
    });

    const { events$ } = app.get(LaneEvents);
    expect(roles).not.toContain('events');
    events$.subscribe();
    expect(roles.filter((role) => role === 'events')).toHaveLength(1);
  });
});

describe('the streams of a queue', () => {
  it('NA-7-01 NA-7-05 NA-7-11 complete when the module closes, with a job that has not ended too', async () => {
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
    });
    const queue: Queue = queueOf(app, 'email');
    const job = await queue.add('send', {}, { delay: '1h' });

    const streams = {
      first: all(queue.events$),
      second: all(queue.events$.pipe(ofType('added'))),
      replayed: all(queue.events('start').pipe(ofType('added'))),
      counts: all(queue.counts$({ every: '1h' })),
      progress: all(job.progress$),
    };
    const { id } = await queue.add('send', {}, { delay: '1h' });
    await app.close();

    expect((await streams.first).map(({ type }) => type)).toEqual(['added', 'delayed']);
    expect((await streams.second).map(({ jobId }) => jobId)).toEqual([id]);
    expect((await streams.replayed).map(({ jobId }) => jobId)).toContain(job.id);
    expect(await streams.progress).toEqual([]);
    expect((await streams.counts).length).toBeLessThanOrEqual(2);
  });

  it('NA-7-02 events(from) replays from an id, a time or the start', async () => {
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
    });
    const queue = queueOf(app, 'email');
    const jobs = await queue.addBulk(['a', 'b', 'c'].map((name) => ({ name, data: {} })));
    const added = async (from: string | number | Date): Promise<string[]> => {
      const events = queue.events(from).pipe(ofType('added'));
      const last = await firstValueFrom(
        events.pipe(
          takeWhile(({ name }) => name !== 'c', true),
          toArray(),
        ),
      );
      return last.map(({ name }) => name);
    };
    const [first] = await firstValueFrom(queue.events('start').pipe(ofType('added'), take(1), toArray()));

    expect(jobs).toHaveLength(3);
    expect(await added('start')).toEqual(['a', 'b', 'c']);
    expect(await added(first!.id)).toEqual(['b', 'c']);
    expect(await added(new Date(jobs[0]!.timestamp - 1_000))).toEqual(['a', 'b', 'c']);
  });

  it("NA-7-12 ofType('failed') keeps that type, and narrows to it", async () => {
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    const queue = queueOf(app, 'email');
    // The type of what comes is written out, and the compiler agrees.
    const failure: Promise<{ type: 'failed'; jobId: string; failedReason: string }> = firstValueFrom(
      queue.events$.pipe(ofType('failed')),
    );

    const job = await queue.add('fail', {});

    expect(await failure).toMatchObject({ type: 'failed', jobId: job.id, failedReason: 'no server' });
  });

  it('NA-7-11 keep no process alive', async () => {
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
    });
    const queue = queueOf(app, 'email');
    const before = openResources();

    const subscriptions = [
      queue.events$,
      queue.events('start'),
      queue.counts$(),
      app.get(LaneEvents).events$,
    ].map((stream: Observable<unknown>) => stream.subscribe());
    await queue.waitUntilReady();

    expect(openResources()).toEqual(before);
    subscriptions.forEach((subscription) => subscription.unsubscribe());
  });

  it('NA-7-07 ingest adds with a bounded number of bulk adds in flight, and stops reading while they are full', async () => {
    const backend = new FailingBackend(memory());
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
    });
    const queue = queueOf(app, 'email');
    let read = 0;
    function* letters(count: number) {
      while (read < count) {
        yield { name: 'send', data: { read: (read += 1) } };
      }
    }

    backend.plan('addJobs', 'hold', Infinity);
    const stored = lastValueFrom(queue.ingest(letters(1_500), { concurrency: 1 }));
    await waitUntil(() => backend.heldCalls === 1 && read === 400, { reason: 'the adds are full' });
    for (let turn = 0; turn < 50; turn += 1) {
      await turnOfTheEventLoop();
    }
    expect([backend.callsOf('addJobs'), read]).toEqual([1, 400]);
    backend.heal();
    backend.release();

    expect(await stored).toMatchObject({ added: 1_500, refused: 0, isDone: true });
    expect(read).toBe(1_500);
    expect(await queue.count()).toBe(1_500);
  });

  it('NA-7-11 ingest reads no more and completes when the module closes', async () => {
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
    });
    const letters = new Subject<{ name: string; data: object }>();
    const progress = all(queueOf(app, 'email').ingest(letters));
    letters.next({ name: 'send', data: {} });

    await app.close();

    expect(letters.observed).toBe(false);
    expect((await progress).filter(({ isDone }) => isDone)).toEqual([]);
  });

  it('NA-7-03 NA-7-04 NA-7-08 of a job end with it, also where it has ended before anybody subscribed', async () => {
    const app = await apps.start({
      imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    const queue = queueOf(app, 'email');
    const { gate } = app.get(EmailProcessor);

    const sent = await queue.add('send', {});
    await waitUntil(() => gate.running === 1, { reason: 'the job runs' });
    const early = [all(sent.progress$), all(sent.result$)];
    gate.open();
    await ended(queue, sent);

    expect(await Promise.all(early)).toEqual([[50], ['sent']]);
    expect(await Promise.all([all(sent.progress$), all(sent.result$)])).toEqual([[50], ['sent']]);
    const failed = await ended(queue, await queue.add('fail', {}));
    expect(await all(failed.progress$)).toEqual([]);
    await expect(all(failed.result$)).rejects.toMatchObject({
      code: 'LANE_JOB_FAILED',
      failedReason: 'no server',
    });
  });
});
