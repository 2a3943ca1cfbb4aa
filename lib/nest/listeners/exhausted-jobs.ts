import { systemClock } from '../../contract/clock';
import { endsWithin } from '../../engine/runtime/wait';
import type { LastFailureHook } from '../../engine/worker/job-executor';
import type { PlannedExhausted } from '../planning/processor-check';
import type { Heard, ListenerRunner } from './listener.runner';

/** Milliseconds that the failure of a job waits for who is told of it first. */
const PATIENCE = 5_000;

/**
 * Tells the `@OnJobExhausted` methods of a queue's processors of jobs that have failed for good.
 *
 * @returns `undefined` when there are none
 *
 * @internal
 */
export function exhaustedHook(
  methods: readonly PlannedExhausted[],
  { queue, connection }: { readonly queue: string; readonly connection: string },
  runner: ListenerRunner,
): LastFailureHook | undefined {
  if (methods.length === 0) {
    return undefined;
  }
  const heard: Heard = { queue, connection, event: 'exhausted' };
  return ({ job }, error) => {
    const running = methods
      .filter(({ name }) => name === undefined || name === job.name)
      .flatMap((method) => {
        const ended = runner.run(method, heard, [job, error]);
        return ended === undefined ? [] : [inTime(method, heard, ended, runner)];
      });
    return running.length === 0 ? undefined : Promise.all(running);
  };
}

async function inTime(
  method: PlannedExhausted,
  heard: Heard,
  ended: Promise<void>,
  runner: ListenerRunner,
): Promise<void> {
  if (!(await endsWithin(systemClock, ended, PATIENCE))) {
    const seconds = PATIENCE / 1_000;
    runner.failed(
      method,
      heard,
      new Error(`it takes longer than ${seconds} s, and is not waited for any more`),
    );
  }
}
