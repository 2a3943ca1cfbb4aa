import assert from 'node:assert/strict';

import type { LaneBackend } from '../../../contract/queue-backend';
import type { BulkJob } from '../../../engine/queue';
import type { IngestProgress } from '../../../engine/ingest';
import type { Job } from '../../../engine/job';
import { nextTurn } from '../../../engine/runtime/next-turn';
import type { EngineScenario } from './engine-scenario';

type Progress = IngestProgress<Job, BulkJob<unknown, string>>;

/**
 * Adding what a source brings.
 *
 * @internal
 */
export const ingestingCases: readonly EngineScenario[] = [
  {
    title: 'ingest adds what an iterable brings in its order, and tells how far it has come',
    async run({ queue }) {
      const emails = queue();
      const seen: Progress[] = [];

      await emails.ingest(letters(450)).forEach((progress) => void seen.push(progress));

      const waiting = await emails.getWaiting();
      const all = Array.from({ length: 450 }, (_, index) => index);
      assert.deepEqual(
        waiting.map((job) => job.data as number),
        all,
      );
      assert.deepEqual(
        seen.flatMap(({ jobs }) => jobs.map((job) => [job.id, job.data as number])),
        waiting.map((job) => [job.id, job.data as number]),
      );
      assert.ok(seen.every(({ jobs }) => jobs.length <= 200));
      assert.deepEqual(seen.at(-1), { jobs: [], refusals: [], added: 450, refused: 0, isDone: true });
      assert.ok(seen.slice(0, -1).every(({ isDone }) => !isDone));
    },
  },
  {
    title: 'NA-7-07 ingest reads no further while as many bulk adds are under way as may be',
    async run({ backend, queue, until }) {
      let letThrough: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letThrough = resolve));
      const emails = queue({ backend: holdingAdds(backend, held) });
      let read = 0;
      let last: Progress | undefined;

      const ended = emails
        .ingest(
          letters(2_000, () => (read += 1)),
          { concurrency: 2 },
        )
        .forEach((progress) => void (last = progress));
      // Two adds of 200 that are under way, and what is to go with the next one.
      await until('the adds are full', () => read === 600);
      for (let turn = 0; turn < 50; turn += 1) {
        await new Promise<void>(nextTurn);
      }
      assert.equal(read, 600);
      letThrough();
      await ended;

      assert.deepEqual([read, last?.added, await queue().count()], [2_000, 2_000, 2_000]);
    },
  },
  {
    title: 'ingest leaves out entries that cannot be added, and tells of each',
    async run({ queue }) {
      const emails = queue();
      const bad = [{ name: '', data: 1 }, null, { name: 'send', data: 2, opts: { delay: -1 } }] as never[];
      const seen: Progress[] = [];

      await emails
        .ingest([{ name: 'send', data: 0 }, ...bad, { name: 'send', data: 3 }])
        .forEach((progress) => void seen.push(progress));

      assert.deepEqual(
        seen.flatMap(({ refusals }) => refusals.map(({ entry, error }) => [entry, codeOf(error)])),
        [
          [bad[0], 'LANE_BAD_JOB_NAME'],
          [bad[1], 'LANE_BAD_JOB'],
          [bad[2], 'LANE_BAD_DELAY'],
        ],
      );
      assert.deepEqual([seen.at(-1)?.added, seen.at(-1)?.refused], [2, 3]);
      assert.deepEqual(
        (await emails.getWaiting()).map((job) => job.data as number),
        [0, 3],
      );
    },
  },
  {
    title:
      'a strict ingest stores what comes before the first entry that cannot be added, and ends with its error',
    async run({ queue }) {
      const emails = queue();
      const entries = Array.from({ length: 700 }, (_, index) => ({
        name: index === 250 || index === 300 ? '' : 'send',
        data: index,
      }));
      let added = 0;

      await assert.rejects(
        emails.ingest(entries, { strict: true }).forEach((progress) => void (added = progress.added)),
        { code: 'LANE_BAD_JOB_NAME' },
      );

      assert.equal(added, 250);
      assert.deepEqual(
        (await emails.getWaiting()).map((job) => job.data as number),
        Array.from({ length: 250 }, (_, index) => index),
      );
    },
  },
  {
    title: 'jobs with ids of their own can be ingested again',
    async run({ queue }) {
      const emails = queue();
      const entries = [1, 2, 3].map((data) => ({ name: 'send', data, opts: { jobId: `letter-${data}` } }));

      for (let round = 0; round < 2; round += 1) {
        let last: Progress | undefined;
        await emails.ingest(entries).forEach((progress) => void (last = progress));
        assert.equal(last?.added, 3);
      }

      assert.equal(await emails.count(), 3);
    },
  },
  {
    title:
      'an ingest of a source that goes on ends when the queue closes, with what had come being stored or not begun',
    async run({ queue, until }) {
      const emails = queue();
      let isLeft = false;
      async function* endless() {
        try {
          for (let data = 0; ; data += 1) {
            yield { name: 'send', data };
            await Promise.resolve();
          }
        } finally {
          isLeft = true;
        }
      }
      const seen: Progress[] = [];

      const ended = emails.ingest(endless()).forEach((progress) => void seen.push(progress));
      await until('some are stored', () => seen.length > 0);
      await emails.close();
      await ended;

      await until('the source was left', () => isLeft);
      const { added, isDone } = seen.at(-1)!;
      assert.deepEqual([isDone, await queue().count()], [false, added]);
      assert.throws(() => emails.ingest([]), { code: 'LANE_CLOSED' });
    },
  },
];

async function* letters(count: number, onRead: () => void = () => undefined) {
  for (let data = 0; data < count; data += 1) {
    onRead();
    yield await Promise.resolve({ name: 'send', data });
  }
}

/** A backend that carries out no add before it is let through. */
function holdingAdds(backend: LaneBackend, held: Promise<void>): LaneBackend {
  return {
    kind: backend.kind,
    capabilities: backend.capabilities,
    openQueue: (request) =>
      new Proxy(backend.openQueue(request), {
        get: (handle, property) => {
          const value: unknown = Reflect.get(handle, property, handle);
          if (typeof value !== 'function') {
            return value;
          }
          return async (...args: unknown[]) => {
            if (property === 'addJobs') {
              await held;
            }
            return (await value.apply(handle, args)) as unknown;
          };
        },
      }),
  };
}

function codeOf(error: Error): unknown {
  return (error as { code?: unknown }).code;
}
