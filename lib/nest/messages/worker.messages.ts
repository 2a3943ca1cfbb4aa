import { showValue } from '../../model/errors/show-value';
import type { ConfigProblem } from '../errors/config-problem';
import { capitalized, connectionNamed, forRoot, queueArgument, queueNamed, quoted } from './wording';

// What is said of workers and their jobs while the application runs.

/**
 * @param error - why it cannot be used
 *
 * @internal
 */
export function startsWithout(connection: string, error: Error): string {
  return `${capitalized(connectionNamed(connection))} cannot be used now, and the application starts without it: ${error.message}`;
}

/** @internal */
export function nothingToWorkOn(connection: string): string {
  return (
    `${capitalized(connectionNamed(connection))} has role "worker", but no processor works on any of its queues ` +
    'in this process.'
  );
}

/** @internal */
export function worksElsewhere(connection: string): string {
  return `${capitalized(connectionNamed(connection))} has role "producer": this process adds jobs and runs none.`;
}

/** @internal */
export function startWhenFailed(connection: string, error: Error): string {
  return (
    `startWhen of ${connectionNamed(connection)} failed, so its workers have not started; ` +
    `LaneRunner.start() starts them by hand: ${error.message}`
  );
}

/** @internal */
export function ceilingNotSet(queue: string, connection: string, ceiling: number, error: Error): string {
  return (
    `${capitalized(queueNamed(queue, connection))}: globalConcurrency ${ceiling} cannot be stored now, and will be ` +
    `when its store can be used: ${error.message}`
  );
}

/** @internal */
export function noShutdownHooks(): ConfigProblem {
  return {
    code: 'LANE_NO_SHUTDOWN_HOOKS',
    message:
      'Nobody listens to SIGTERM in this process: told to end, it ends at once, and its running jobs run again ' +
      'elsewhere when their leases are over.',
    where: [],
    fix: 'call app.enableShutdownHooks() in main.ts.',
  };
}

/** @internal */
export function handedBack(ids: readonly string[]): string {
  const count = ids.length === 1 ? '1 job that had' : `${ids.length} jobs that had`;
  return `handed back ${count} not ended, at no cost of an attempt: ${ids.join(', ')}`;
}

/** @internal */
export function isNotRegistered(queue: string, connection: string, near: string | undefined): string {
  return (
    `${capitalized(queueNamed(queue, connection))} is not registered. ` +
    (near === undefined ? '' : `Did you mean ${quoted([near])}? `) +
    `Correct the name, or add LaneModule.registerQueue(${queueArgument(queue, connection)}) to a module.`
  );
}

/** @internal */
export function isProducer(queue: string, connection: string): string {
  return (
    `${capitalized(queueNamed(queue, connection))} has no worker in this process, whose role is "producer". ` +
    `Give ${forRoot(connection)} the role "both" or "worker" where jobs are to run.`
  );
}

/** @internal */
export function isNotStarted(queue: string, connection: string): string {
  return (
    `The worker of ${queueNamed(queue, connection)} has not been started yet. It starts when startWhen says so, or by ` +
    'LaneRunner.start().'
  );
}

/** @internal */
export function isLeftOut(queue: string, connection: string): string {
  return (
    `${capitalized(queueNamed(queue, connection))} has no worker in this process: option "queues" of ` +
    `${forRoot(connection)} leaves it out. Change the option where jobs of the queue are to run.`
  );
}

/** @internal */
export function hasNoProcessor(queue: string, connection: string): string {
  return (
    `${capitalized(queueNamed(queue, connection))} has no worker in this process, since no processor works on it. ` +
    `Provide a class with @Processor(${queueArgument(queue, connection)}).`
  );
}

/** @internal */
export function noHandlerYet(
  name: string,
  queue: string,
  connection: string,
  known: readonly string[],
): string {
  return (
    `${capitalized(queueNamed(queue, connection))}: no handler takes job ${showValue(name)}; such jobs are held back, ` +
    `since another process may have one. Handlers exist for: ${known.join(', ') || 'no job'}. ` +
    "With unknownJob: 'fail' they fail at once."
  );
}

/** @internal */
export function streamWithoutEnd(handler: string, queue: string, id: string): string {
  return (
    `The stream of ${handler} has run for an hour, for job ${showValue(id)} of queue "${queue}", and has no time limit. ` +
    'If it may take that long, say so by a timeout of @Process or of the job; this is told once for each handler.'
  );
}
