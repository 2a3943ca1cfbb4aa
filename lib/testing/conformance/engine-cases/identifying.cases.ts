import assert from 'node:assert/strict';

import { Job } from '../../../engine/job';
import type { Queue } from '../../../engine/queue';
import type { Worker } from '../../../engine/worker/worker';
import type { EngineScenario } from './engine-scenario';

type CallById = (id: never) => unknown;

/** Every call that takes the id of a stored job, and what it answers where there is no such job. */
function callsById(
  emails: Queue,
  one: Worker,
  token: string,
): [name: string, call: CallById, answer: unknown][] {
  const notFound = { code: 'LANE_JOB_NOT_FOUND' };
  return [
    ['getJob', (id) => emails.getJob(id), undefined],
    ['Job.fromId', (id) => Job.fromId(emails, id), undefined],
    ['getJobState', (id) => emails.getJobState(id), 'unknown'],
    ['getJobFinishedResult', (id) => emails.getJobFinishedResult(id), undefined],
    ['getJobLogs', (id) => emails.getJobLogs(id), { logs: [], count: 0 }],
    ['addJobLog', (id) => emails.addJobLog(id, 'row'), notFound],
    ['Job.addJobLog', (id) => Job.addJobLog(emails, id, 'row'), notFound],
    ['updateJobProgress', (id) => emails.updateJobProgress(id, 1), notFound],
    ['remove', (id) => emails.remove(id), 0],
    ['cancel', (id) => emails.cancel(id), notFound],
    ['cancelJob', (id) => one.cancelJob(id), false],
    ['extendJobLocks', (id) => one.extendJobLocks([id], [token], 1), ['']],
  ];
}

/** What a call answers or is refused with. */
async function answerOf(call: CallById, id: unknown): Promise<unknown> {
  try {
    return await call(id as never);
  } catch (error) {
    return { code: (error as { code?: unknown }).code };
  }
}

/**
 * How jobs that are stored are named.
 *
 * @internal
 */
export const identifyingCases: readonly EngineScenario[] = [
  {
    title: 'an id that is no text is refused by every call that takes one, and changes nothing',
    async run({ queue, worker, until }) {
      const emails = queue();
      const runs = await emails.add('send', {});
      let end = (): void => undefined;
      let token = '';
      let signal: AbortSignal | undefined;
      const one = worker((job, itsToken, itsSignal) => {
        token = itsToken;
        signal = itsSignal;
        return new Promise<void>((resolve) => (end = resolve));
      });
      await until('the job runs', () => signal !== undefined);
      const waits = await emails.add('send', {});
      const told: unknown[] = [];
      emails.on('removed', (id) => told.push(id));
      emails.on('progress', (id) => told.push(id));
      const stored = (): Promise<unknown> =>
        Promise.all(
          [runs, waits].map(async ({ id }) => [
            (await emails.getJob(id))?.toJSON(),
            await emails.getJobState(id),
            await emails.getJobLogs(id),
          ]),
        );
      const before = await stored();
      const idsNoTexts = [undefined, null, true, {}, [], Symbol('id'), new Date(0)].concat(
        // What a store that writes ids as texts would take for the ids of these jobs.
        [runs, waits].flatMap(
          ({ id }) => [Number(id), BigInt(id), [id], Object(id), { toString: () => id }] as never,
        ),
      );

      for (const id of idsNoTexts) {
        for (const [name, call] of callsById(emails, one, token)) {
          assert.deepEqual([name, id, await answerOf(call, id)], [name, id, { code: 'LANE_BAD_JOB_ID' }]);
        }
      }

      assert.deepEqual([await stored(), told, signal?.aborted], [before, [], false]);
      end();
      await until('the job that ran is completed', () => runs.isCompleted());
    },
  },
  {
    title: 'an empty text is the id of no job',
    async run({ queue, worker }) {
      const emails = queue();
      await emails.add('send', {});

      for (const [name, call, answer] of callsById(emails, worker(null), 'token')) {
        assert.deepEqual([name, await answerOf(call, '')], [name, answer]);
      }
      assert.equal(await emails.count(), 1);
    },
  },
];
