import assert from 'node:assert/strict';

import { boundedConcatMap } from '../../../engine/events/bounded-concat-map';
import type { JobCounts } from '../../../engine/events/counts-stream';
import { ofType } from '../../../engine/events/of-type';
import type { Job } from '../../../engine/job';
import type { EventGap, QueueEvent } from '../../../model/queue-event';
import type { EngineScenario } from './engine-scenario';

/** Takes events of a stream until it has so many. */
async function take(
  events: AsyncIterable<QueueEvent | EventGap>,
  count: number,
): Promise<(QueueEvent | EventGap)[]> {
  const taken: (QueueEvent | EventGap)[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) {
      break;
    }
  }
  return taken;
}

const typesOf = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);

/** At once, so that none of them rejects while another one is looked at. */
const allReject = (waits: readonly Promise<unknown>[], error: object): Promise<unknown> =>
  Promise.all(waits.map((waiting) => assert.rejects(waiting, error)));

/** A job whose result is waited for in every way that there is. */
function waysToWait(job: Job, listener: Parameters<Job['waitUntilFinished']>[0]): Promise<unknown>[] {
  return [
    job.finished(),
    job.waitUntilFinished(listener),
    new Promise((resolve, reject) => {
      const values: unknown[] = [];
      job.result$.subscribe({
        next: (value) => values.push(value),
        error: reject,
        complete: () => resolve(values.length === 1 ? values[0] : values),
      });
    }),
  ];
}

/**
 * Jobs that are followed to their ends, and logs that are read again.
 *
 * @internal
 */
export const followingCases: readonly EngineScenario[] = [
  {
    title: 'who waits for the result of a job gets it, before its end and after it',
    async run({ queue, worker, events }) {
      const emails = queue();
      const listener = await events();
      const job = await emails.add('send', {});
      const nothing = await emails.add('send', {});
      const early = [...waysToWait(job, listener), ...waysToWait(nothing, listener)];
      worker((taken) => (taken.id === job.id ? { sent: [1, null] } : undefined));

      const results = [...Array<unknown>(3).fill({ sent: [1, null] }), ...Array<unknown>(3).fill(null)];
      assert.deepEqual(await Promise.all(early), results);
      const late = [...waysToWait(job, listener), ...waysToWait(nothing, listener)];
      assert.deepEqual(await Promise.all(late), results);
    },
  },
  {
    title:
      'who waits for the result of a job that fails for good is told why, with the code that it is kept under',
    async run({ queue, worker, events }) {
      const emails = queue();
      const listener = await events();
      const kept = await emails.add('send', {}, { attempts: 2 });
      const removed = await emails.add('send', {}, { removeOnFail: true });
      const why = { code: 'LANE_JOB_FAILED', failedReason: 'no luck', message: /no luck/ };
      const early = allReject([...waysToWait(kept, listener), ...waysToWait(removed, listener)], why);
      // A call of the queue comes after the beginning of its streams; a worker does not wait for them.
      await emails.waitUntilReady();
      worker(() => {
        throw new Error('no luck');
      });

      await early;
      await allReject(waysToWait(kept, listener), { ...why, jobId: kept.id, queueName: 'email' });
      await allReject(waysToWait(removed, listener), { code: 'LANE_JOB_REMOVED', jobId: removed.id });
    },
  },
  {
    title:
      'no end is lost: jobs that are removed when they end are waited for while a fast worker takes them',
    async run({ queue, worker, events }) {
      const emails = queue();
      const listener = await events();
      worker((job) => job.data as number, { concurrency: 10 });
      const waits: Promise<unknown>[] = [];
      for (let round = 0; round < 10; round += 1) {
        await emails.pause();
        const jobs = await emails.addBulk(
          Array.from({ length: 10 }, (_, index) => ({
            name: 'send',
            data: index,
            opts: { removeOnComplete: true },
          })),
        );
        waits.push(...jobs.flatMap((job) => waysToWait(job, listener)));
        await emails.resume();
      }

      assert.deepEqual(
        await Promise.all(waits),
        Array.from({ length: 300 }, (_, index) => Math.floor(index / 3) % 10),
      );
    },
  },
  {
    title: 'who waits for a job that is removed is told so, at once by its event, and in time without one',
    async run({ queue, events, advance, until }) {
      const emails = queue();
      const listener = await events();
      const job = await emails.add('send', {});
      const waits = allReject(waysToWait(job, listener), { code: 'LANE_JOB_REMOVED' });
      const progress: string[] = [];
      job.progress$.subscribe({ complete: () => progress.push('complete') });
      await listener.waitUntilReady();
      await emails.remove(job.id);
      await waits;
      await until('its progress ends', () => progress.length === 1);

      const drained = await emails.add('send', {});
      await drained.updateProgress('known');
      const ends = Promise.allSettled(waysToWait(drained, listener));
      let isOver = false;
      void ends.then(() => (isOver = true));
      const seen: unknown[] = [];
      drained.progress$.subscribe((value) => seen.push(value));
      await until('the job was looked at once', () => seen.length > 0);
      await emails.drain();
      await advance(15_000);
      await until('they are told', () => isOver);
      for (const end of await ends) {
        assert.equal(end.status, 'rejected');
        assert.equal((end.reason as { code: string }).code, 'LANE_JOB_REMOVED');
      }
    },
  },
  {
    title: 'a wait ends after its time, by its signal and when who listens is closed; the job goes on',
    async run({ queue, events, advance }) {
      const emails = queue();
      const listener = await events();
      const job = await emails.add('send', {});
      const timed = [job.finished({ timeout: '2s' }), job.waitUntilFinished(listener, 2_000)];
      const timeouts = Promise.all(timed.map((each) => assert.rejects(each, { code: 'LANE_WAIT_TIMEOUT' })));
      await advance(2_000);
      await timeouts;

      const reason = new Error('not interested');
      const abort = new AbortController();
      const aborted = assert.rejects(job.finished({ signal: abort.signal }), { message: reason.message });
      abort.abort(reason);
      await aborted;
      await assert.rejects(job.finished({ signal: AbortSignal.abort(reason) }), {
        message: reason.message,
      });

      await assert.rejects(job.finished({ timeout: -1 }), { code: 'LANE_BAD_DURATION' });
      await assert.rejects(job.finished({ ttl: 5 } as object), { code: 'LANE_UNKNOWN_OPTION' });
      await assert.rejects(job.waitUntilFinished({} as never), { code: 'LANE_BAD_QUEUE_EVENTS' });
      await assert.rejects(job.waitUntilFinished(undefined as never), { code: 'LANE_BAD_QUEUE_EVENTS' });

      const byListener = assert.rejects(job.waitUntilFinished(listener), { code: 'LANE_CLOSED' });
      await listener.close();
      await byListener;
      await assert.rejects(job.waitUntilFinished(listener), { code: 'LANE_CLOSED' });
      assert.equal(await job.getState(), 'waiting');
      const byQueue = assert.rejects(job.finished(), { code: 'LANE_CLOSED' });
      let isComplete = false;
      job.result$.subscribe({ complete: () => (isComplete = true) });
      await emails.close();
      await byQueue;
      assert.equal(isComplete, true);
    },
  },
  {
    title: 'MGMT-02 the result of a job is looked up: not yet, its value, why it failed, or no such job',
    async run({ queue, worker, until }) {
      const emails = queue();
      const good = await emails.add('good', {});
      const bad = await emails.add('bad', {});
      assert.deepEqual(await emails.getJobFinishedResult(good.id), { state: 'unfinished' });
      worker((job) => {
        if (job.name === 'bad') {
          throw new Error('no luck');
        }
        return [7];
      });
      await until(
        'both have ended',
        async () => (await emails.getJobCountByTypes('completed', 'failed')) === 2,
      );

      assert.deepEqual(await emails.getJobFinishedResult(good.id), { state: 'completed', returnvalue: [7] });
      assert.deepEqual(await emails.getJobFinishedResult(bad.id), {
        state: 'failed',
        failedReason: 'no luck',
        failedCode: undefined,
      });
      assert.equal(await emails.getJobFinishedResult('none'), undefined);
    },
  },
  {
    title:
      'a log is read again from its start, after an event, and from a time, and then goes on with what comes',
    async run({ queue, until }) {
      const emails = queue();
      await emails.add('send', {}, { jobId: 'a' });
      const [first] = (await take(emails.events('start'), 2)) as QueueEvent[];
      const millis = Number(first!.id.split('-')[0]);
      const bounds: [from: string | number | Date, types: string[]][] = [
        ['start', ['added', 'waiting', 'paused']],
        ['0-0', ['added', 'waiting', 'paused']],
        [first!.id, ['waiting', 'paused']],
        [millis, ['added', 'waiting', 'paused']],
        [new Date(millis), ['added', 'waiting', 'paused']],
        [0, ['added', 'waiting', 'paused']],
        [millis + 86_400_000_000, []],
      ];
      const heard = bounds.map(([from]) => {
        const events: (QueueEvent | EventGap)[] = [];
        emails.events(from).subscribe((event) => events.push(event));
        return events;
      });
      await until('what is there was read', () =>
        heard.every((each, at) => each.length >= bounds[at]![1].length - 1),
      );
      await emails.pause();
      await until('what came was read', () =>
        heard.every((each, at) => each.length === bounds[at]![1].length),
      );

      assert.deepEqual(
        heard.map(typesOf),
        bounds.map(([, types]) => types),
      );
      for (const from of ['', 'end', '5', '1-', -1, 1.5, NaN, new Date(NaN), null, undefined, {}]) {
        assert.throws(() => emails.events(from as string), { code: 'LANE_BAD_EVENT_ID' });
      }
      assert.throws(() => emails.events('start', { strict: 1 as never }), { code: 'LANE_BAD_FLAG' });
    },
  },
  {
    title: 'a replay waits for who takes its events, by for await and by boundedConcatMap',
    async run({ queue, until }) {
      const emails = queue();
      await emails.addBulk(
        Array.from({ length: 300 }, (_, n) => ({ name: 'send', data: {}, opts: { jobId: `j${n}` } })),
      );
      const taken: string[] = [];
      let next = (): void => undefined;
      const subscription = emails
        .events('start')
        .pipe(
          ofType('waiting'),
          boundedConcatMap((event) => {
            taken.push(event.type === 'gap' ? 'gap' : event.jobId);
            return taken.length === 2 ? new Promise<void>((resolve) => (next = resolve)) : Promise.resolve();
          }),
        )
        .subscribe();
      await until('the second one is being handled', () => taken.length === 2);
      for (let turn = 0; turn < 20; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual(taken, ['j0', 'j1']);
      next();
      await until('all were handled', () => taken.length === 300);
      assert.equal(taken.at(-1), 'j299');
      subscription.unsubscribe();

      assert.deepEqual(typesOf(await take(emails.events('start'), 4)), [
        'added',
        'waiting',
        'added',
        'waiting',
      ]);
    },
  },
  {
    title: 'a replay tells of a gap where the log was cut, and errors there when it is strict',
    async run({ queue }) {
      const emails = queue();
      await emails.add('send', {}, { jobId: 'a' });
      const [first] = (await take(emails.events('start'), 1)) as QueueEvent[];
      await emails.addBulk(Array.from({ length: 5 }, () => ({ name: 'send', data: {} })));
      await emails.trimEvents(4);

      const [gap, second] = await take(emails.events(first!.id), 2);
      assert.deepEqual(gap, { type: 'gap', from: first!.id, to: (second as QueueEvent).id });
      await assert.rejects(take(emails.events(first!.id, { strict: true }), 1), {
        code: 'LANE_EVENTS_LOST',
        from: first!.id,
      });
      assert.deepEqual(typesOf(await take(emails.events('start', { strict: true }), 1)), ['added']);
      const error = await new Promise((resolve) =>
        emails.events(first!.id, { strict: true }).subscribe({ error: resolve }),
      );
      assert.equal((error as { code: string }).code, 'LANE_EVENTS_LOST');
    },
  },
  {
    title:
      'the counts of a queue come at once, then after every change, shared by all; every stream ends with the queue',
    async run({ queue, advance, until }) {
      const emails = queue();
      const seen: JobCounts[][] = [[], []];
      let completed = 0;
      const complete = (): void => void (completed += 1);
      for (const counts of seen) {
        emails.counts$({ every: '10s' }).subscribe({ next: (each) => counts.push(each), complete });
      }
      emails.events$.subscribe({ complete });
      emails.events('start').subscribe({ complete });
      emails
        .events('start')
        .pipe(boundedConcatMap(() => []))
        .subscribe({ complete });
      await until('the first counts came', () => seen.every((counts) => counts.length === 1));
      await emails.add('send', {});
      await until('the change was seen', async () => {
        await advance(50);
        return seen.every((counts) => counts.length === 2);
      });
      await advance(60_000);

      for (const [before, after] of seen) {
        assert.equal(before!.waiting, 0);
        assert.equal(after!.waiting, 1);
      }
      assert.deepEqual(
        seen.map((counts) => counts.length),
        [2, 2],
      );
      assert.throws(() => emails.counts$({ every: -1 }), { code: 'LANE_BAD_DURATION' });
      await emails.close();
      await until('all are complete', () => completed === 5);
    },
  },
];
