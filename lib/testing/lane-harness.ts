import assert from 'node:assert/strict';

import type { OnApplicationBootstrap } from '@nestjs/common';

import { isDefined } from '../engine/definition/definition-brand';
import type { DefinedJob } from '../engine/definition/queue-definition';
import type { JobRun } from '../engine/worker/job-executor';
import { refuseUnknownOptions } from '../model/option-names';
import { LaneMetadataAccessor, type ClassRef } from '../nest/discovery/lane-metadata.accessor';
import { DEFAULT_CONNECTION } from '../nest/lane.tokens';
import { showValue } from '../model/errors/show-value';
import { queueNamed } from '../nest/messages/wording';
import { LaneTestingError } from './errors/lane-testing.error';
import type { RecordedEvent } from './journal';
import type { LaneTestingMode } from './lane-testing-options';
import { PERFORM_OPTION_NAMES, performAlone, type PerformOptions } from './perform-alone';
import { QueueView } from './queue-view';
import {
  keyOf,
  RECORDING,
  type Recorded,
  type RecordedJob,
  type RecordedOutcome,
  type Recording,
} from './recording';
import { RunResult } from './run-result';
import type { TestClock } from './test-clock';
import { boundsOf, type IdleBounds, type TestedWorker, type TestSurroundings } from './test-surroundings';

/**
 * A queue, by its name or its definition.
 *
 * @public
 */
export type QueueRef = string | { readonly name: string };

/**
 * A job that a worker held when it crashed.
 *
 * @public
 */
export interface LostJob {
  readonly queue: string;
  readonly id: string;
  readonly name: string;
}

/** What has to be started for handlers to run: a testing module, or an application. */
interface Startable {
  init(): Promise<unknown>;
}

/**
 * What a test does with the queues of its application, and sees of them.
 *
 * @example
 * ```ts
 * const lane = moduleRef.get(LaneHarness);
 * await moduleRef.get(SignupService).signUp('a@b.co');
 * await lane.clock.advance('1h');
 * const run = await lane.runUntilIdle();
 * expect(run).toHaveCompleted('send', 1);
 * ```
 *
 * @public
 */
export class LaneHarness implements Recorded, OnApplicationBootstrap {
  readonly #surroundings: TestSurroundings;
  #startable: Startable | undefined;

  /** @internal */
  constructor(surroundings: TestSurroundings) {
    this.#surroundings = surroundings;
  }

  /** When jobs run. */
  get mode(): LaneTestingMode {
    return this.#surroundings.mode;
  }

  /** The time of queues and workers. */
  get clock(): TestClock {
    return this.#surroundings.clock;
  }

  /** All jobs that were added, in order, as for a snapshot. */
  get recorded(): readonly RecordedJob[] {
    return [...this.#surroundings.journal.added];
  }

  /** What became of jobs and attempts, in order. */
  outcomes(): readonly RecordedOutcome[] {
    return [...this.#surroundings.journal.outcomes];
  }

  /** The events of all queues, in order. */
  events(): readonly RecordedEvent[] {
    return [...this.#surroundings.journal.events];
  }

  /**
   * What there is to see of one queue, for matchers. It needs no processor.
   *
   * @param queue - its name or definition
   * @param connection - name of its connection; default: the one without a name
   */
  queue(queue: QueueRef, connection: string = DEFAULT_CONNECTION): QueueView {
    return new QueueView(this.#surroundings, nameOf(queue), connection);
  }

  /**
   * Runs what is ready, and what comes of it, until nothing is left that could run at the present time. What waits for
   * time to pass stays.
   *
   * @returns what happened meanwhile
   * @throws NotIdleError with a table of what keeps the queues busy, when there is more to do than the bounds allow
   * @throws UnknownOptionError, InvalidOptionsError, InvalidLimitError, InvalidDurationError for bounds that are none
   */
  async runUntilIdle(bounds: IdleBounds = {}): Promise<RunResult> {
    refuseUnknownOptions('runUntilIdle()', bounds, ['maxJobs', 'maxTime'] satisfies (keyof IdleBounds)[]);
    const within = boundsOf(bounds);
    await this.#start();
    const { journal, turnstile } = this.#surroundings;
    const [outcomes, added] = [journal.outcomes.length, journal.added.length];
    turnstile.open(within.maxJobs);
    try {
      await this.#surroundings.untilIdle(within);
    } finally {
      turnstile.close();
    }
    return new RunResult(journal.outcomes.slice(outcomes), journal.added.slice(added));
  }

  /**
   * Runs the job of a queue whose turn it is.
   *
   * @returns what became of it; `undefined` when none is ready
   * @throws LaneTestingError when no processor works on the queue, NotIdleError when its handler does not settle within
   * four seconds
   */
  async runOne(
    queue: QueueRef,
    connection: string = DEFAULT_CONNECTION,
  ): Promise<RecordedOutcome | undefined> {
    await this.#start();
    this.#worker(nameOf(queue), connection);
    const { journal, turnstile } = this.#surroundings;
    const outcomes = journal.outcomes.length;
    turnstile.open(1, keyOf(nameOf(queue), connection));
    try {
      await this.#surroundings.untilIdle(boundsOf({}), 1);
    } finally {
      turnstile.close();
    }
    return journal.outcomes
      .slice(outcomes)
      .find(
        (outcome) =>
          outcome.queue === nameOf(queue) && (outcome.connection ?? DEFAULT_CONNECTION) === connection,
      );
  }

  /**
   * Runs the handler of a name once, with all that is around it in production: guards, interceptors, pipes, filters,
   * parameter decorators, its time limit. The job is a real one, but of a queue of its own: nothing of it is recorded, and
   * it is not tried again.
   *
   * @param target - the processor's class, or its queue
   * @param name - of the job
   * @param data - its payload, as `add` takes it
   * @returns what the handler gives
   * @throws what the handler throws, and what `add` does for data that the definition does not take; LaneTestingError when
   * there is no processor; UnknownOptionError, InvalidOptionsError
   *
   * @example
   * ```ts
   * await expect(lane.perform(EmailProcessor, 'send', { to: 'nobody' })).rejects.toThrow('no such address');
   * ```
   */
  perform(
    target: QueueRef | (abstract new (...args: never[]) => object),
    name: string,
    data: unknown,
    options?: PerformOptions,
  ): Promise<unknown>;
  /**
   * Runs the handler of a job of a queue's definition, with the types that stand there.
   *
   * @param job - such as `Email.jobs.send`, of the queue that the target works on
   * @throws what the handler throws; LaneTestingError when there is no processor, or the job is of another queue
   *
   * @example
   * ```ts
   * const { messageId } = await lane.perform(EmailProcessor, Email.jobs.send, { to: 'a@b.co' });
   * ```
   */
  perform<Job extends DefinedJob>(
    target: QueueRef | (abstract new (...args: never[]) => object),
    job: Job,
    data: NonNullable<Job['types']>['input'],
    options?: PerformOptions,
  ): Promise<NonNullable<Job['types']>['result']>;
  async perform(
    target: QueueRef | ClassRef,
    job: string | DefinedJob,
    data: unknown,
    options: PerformOptions = {},
  ): Promise<unknown> {
    refuseUnknownOptions('perform()', options, PERFORM_OPTION_NAMES);
    await this.#start();
    const [queue, connection] = placeOf(target);
    const name = nameIn(queue, job);
    const worker = this.#worker(queue, options.connection ?? connection);
    const inside = (run: JobRun): Promise<unknown> => this.#surroundings.runs.inside(run, worker.dispatch);
    return performAlone(worker.plan, this.clock, inside, name, data, options);
  }

  /**
   * Has the next attempts at jobs of a name fail in place of their handlers.
   *
   * @param name - of the jobs, in whatever queue
   * @param error - what is thrown; default: an error that says so
   * @param times - how often; default: once
   */
  fail(name: string, error: Error | string = 'made to fail by the test', times = 1): void {
    this.#surroundings.runs.fail(name, typeof error === 'string' ? new Error(error) : error, times);
  }

  /**
   * Has workers die with the jobs that they hold: nothing more is written of these, and their leases are not renewed. When
   * the leases are over, the jobs are found and run again: move the clock by a minute or two. Where no job is held, the one
   * that is next is taken first, and its handler not begun. What a handler that runs still does, it does; its signal is
   * aborted.
   *
   * @param queue - whose worker; default: those of all queues
   * @returns the jobs that were lost
   * @throws LaneTestingError when no job is held, and none is ready
   */
  async crash(queue?: QueueRef, connection: string = DEFAULT_CONNECTION): Promise<readonly LostJob[]> {
    await this.#start();
    const { held, runs, turnstile } = this.#surroundings;
    const key = queue === undefined ? undefined : keyOf(nameOf(queue), connection);
    if (runs.of(key).length === 0) {
      runs.hold(true);
      turnstile.open(1, key);
      await this.#surroundings.rest();
      turnstile.close();
      runs.hold(false);
    }
    const error = new Error('The worker has crashed: the test made it.');
    const lost = runs.of(key).map(({ run, crash }) => {
      const { id, name, queueName } = run.job;
      held.lose(id, run.token);
      run.abort(error);
      crash(error);
      return { queue: queueName, id, name };
    });
    if (lost.length === 0) {
      throw new LaneTestingError('No worker holds a job, and none is ready.', 'Add one before the crash.');
    }
    await this.#surroundings.rest();
    return lost;
  }

  /**
   * Fails when something of the queues is left once the application was closed: queues or listeners that were made by hand
   * and never closed, handlers that have not ended, timers.
   *
   * @throws AssertionError
   */
  assertNoLeaks(): void {
    const { openHandles, runs, clock } = this.#surroundings;
    const left = [
      ...openHandles.map((handle) => `${handle}: not closed`),
      ...runs.running.map((job) => `${job}: its handler has not ended`),
      ...(clock.pendingTimers === 0 ? [] : [`timers: ${clock.pendingTimers}`]),
    ];
    if (left.length > 0) {
      assert.fail(
        `Something is left; was the application closed?\n${left.map((one) => `  - ${one}`).join('\n')}`,
      );
    }
  }

  /** @internal */
  get [RECORDING](): Recording {
    const { journal } = this.#surroundings;
    return {
      label: 'the application',
      added: journal.added,
      outcomes: journal.outcomes,
      busy: this.#surroundings.busy(),
    };
  }

  /**
   * What to start when a test has not done so before it runs jobs.
   *
   * @internal
   */
  startsBy(startable: Startable): void {
    this.#startable = startable;
  }

  /** @internal */
  onApplicationBootstrap(): void {
    this.#surroundings.isStarted = true;
  }

  async #start(): Promise<void> {
    if (this.#surroundings.isStarted) {
      return;
    }
    if (this.#startable === undefined) {
      throw new LaneTestingError(
        'The application is not started, so nobody works on its queues.',
        'Call its init() first.',
      );
    }
    await this.#startable.init();
  }

  #worker(queue: string, connection: string): TestedWorker {
    const worker = this.#surroundings.workers.get(keyOf(queue, connection));
    if (worker === undefined) {
      throw new LaneTestingError(
        `Nobody works on ${queueNamed(queue, connection)}.`,
        'List a processor of it among the providers, and have its worker started.',
      );
    }
    return worker;
  }
}

function nameOf(queue: QueueRef): string {
  return typeof queue === 'string' ? queue : queue.name;
}

/** The queue of a processor's class, or the one that is named. */
function placeOf(target: QueueRef | ClassRef): [queue: string, connection: string] {
  if (typeof target !== 'function') {
    return [nameOf(target), DEFAULT_CONNECTION];
  }
  const queue: unknown = new LaneMetadataAccessor().processorOf(target as ClassRef)?.queue;
  if (typeof queue === 'string') {
    return [queue, DEFAULT_CONNECTION];
  }
  if (typeof queue !== 'object' || queue === null) {
    throw new LaneTestingError(
      `Class ${target.name} has no @Processor.`,
      'Give a class that has one, or a queue.',
    );
  }
  const reference = queue as { queue?: QueueRef; name?: string; connection?: string };
  return [nameOf(reference.queue ?? reference.name ?? ''), reference.connection ?? DEFAULT_CONNECTION];
}

/**
 * The name of a job that a queue is to run.
 *
 * @throws LaneTestingError when it is one of another queue's definition
 */
function nameIn(queue: string, job: string | DefinedJob): string {
  if (typeof job === 'string' || !isDefined('queue.job', job)) {
    return job as string;
  }
  if (job.queue !== queue) {
    throw new LaneTestingError(
      `Job ${showValue(job.name)} is one of queue ${showValue(job.queue)}, not of ${showValue(queue)}.`,
      'Give a job of the queue that the processor works on.',
    );
  }
  return job.name;
}
