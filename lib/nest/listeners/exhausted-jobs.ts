import type { Clock } from '../../contract/clock';
import { endsWithin, withoutKeepingAlive } from '../../engine/runtime/wait';
import type { LastFailureHook } from '../../engine/worker/job-executor';
import { RunContext } from '../context/job-context';
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
  clock: Clock,
): LastFailureHook | undefined {
  if (methods.length === 0) {
    return undefined;
  }
  const heard: Heard = { queue, connection, event: 'exhausted' };
  return (run, error) => {
    const { job } = run;
    let context: RunContext | undefined;
    const told = { args: [job, error], request: () => (context ??= new RunContext(run)) };
    const running = methods
      .filter(({ name }) => name === undefined || name === job.name)
      .flatMap((method) => {
        const ended = runner.run(method, heard, told);
        return ended === undefined
          ? []
          : [inTime(clock, ended, () => runner.failed(method, heard, tooLong()))];
      });
    return running.length === 0 ? undefined : Promise.all(running);
  };
}

async function inTime(clock: Clock, ended: Promise<void>, otherwise: () => void): Promise<void> {
  // A worker that has closed meanwhile is no reason to stay.
  if (!(await endsWithin(withoutKeepingAlive(clock), ended, PATIENCE))) {
    otherwise();
  }
}

function tooLong(): Error {
  return new Error(`it takes longer than ${PATIENCE / 1_000} s, and is not waited for any more`);
}
