import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../../../lib/contract/clock';
import type { Job } from '../../../../lib/engine/job';
import { ActiveJob } from '../../../../lib/engine/worker/active-job';
import type { FinishedJob, Processor } from '../../../../lib/engine/worker/job-executor';
import { JobExecutor } from '../../../../lib/engine/worker/job-executor';
import { resolveWorkerOptions } from '../../../../lib/model/worker-options';

/** Runs one job, and tells what came of it and whether its signal was made. */
async function run(processor: Processor): Promise<{ finished: FinishedJob; isSignalMade: boolean }> {
  const executor = new JobExecutor(processor, resolveWorkerOptions({}, 'Worker'), systemClock, {
    storeTime: () => 0,
    limitClaims: async () => Promise.resolve(),
    onError: (error) => {
      throw error;
    },
  });
  const job = { id: '1', name: 'send', opts: {}, attemptsMade: 0, stacktrace: [] };
  let isSignalMade = false;
  class Watched extends ActiveJob {
    override get signal(): AbortSignal {
      isSignalMade = true;
      return super.signal;
    }
  }
  const active = new Watched(job as unknown as Job, 'token', null);
  const finished = await new Promise<FinishedJob>((resolve) =>
    executor.run(active, (ended) => resolve(ended!)),
  );
  return { finished, isSignalMade };
}

describe('JobExecutor', () => {
  const lastArgument = (given: IArguments | unknown[]): string => String(given[2]);

  it.each<[string, Processor]>([
    ['three parameters', (job, token, signal) => lastArgument([job, token, signal])],
    ['rest parameters', (...given) => lastArgument(given)],
    [
      'no parameters but "arguments"',
      function () {
        // eslint-disable-next-line prefer-rest-params -- what compiled wrappers do
        return lastArgument(arguments);
      } as Processor,
    ],
    ['nothing to show, being bound', ((...given: unknown[]) => lastArgument(given)).bind(null)],
  ])('gives the signal to a function with %s', async (_, processor) => {
    const { finished } = await run(processor);

    expect(finished.result).toBe('[object AbortSignal]');
  });

  it.each<[string, Processor]>([
    ['an arrow function without parameters', () => 'done'],
    ['an async one', async () => 'done'],
    [
      'a plain function without parameters',
      function () {
        return 'done';
      },
    ],
    [
      'an async one with a name',
      async function noOp() {
        return 'done';
      },
    ],
    [
      'a method without parameters',
      {
        process(this: void) {
          return 'done';
        },
      }.process,
    ],
    ['a function of a job', (job) => (job.name === 'send' ? 'done' : undefined)],
    ['a function of a job and a token', (_job, token) => (token === 'token' ? 'done' : undefined)],
  ])('makes no signal for %s', async (_, processor) => {
    const { finished, isSignalMade } = await run(processor);

    expect(finished.result).toBe('done');
    expect(isSignalMade).toBe(false);
  });
});
