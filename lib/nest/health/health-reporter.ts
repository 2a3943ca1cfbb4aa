import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

import { endsWithin } from '../../engine/runtime/wait';
import type { WorkerVitals } from '../../engine/worker/worker-vitals';
import { durationToMillis } from '../../model/duration';
import { UnknownOptionError } from '../../model/errors/unknown-option.error';
import { refuseUnknownOptions } from '../../model/option-names';
import { capitalized, connectionNamed, queueNamed } from '../messages/wording';
import type { LaneConnection, LaneQueue, LaneResources } from '../lifecycle/lane-resources';
import type { LaneStates } from '../lifecycle/lane-states';
import type { LaneSurroundings } from '../lifecycle/lane-surroundings';
import type { RestartableWorker } from '../lifecycle/restartable-worker';
import type { WorkerPool } from '../lifecycle/worker-pool';
import type {
  BacklogReport,
  ConnectionReport,
  LaneReport,
  ReportOptions,
  ReportProblem,
  WorkerReport,
} from './lane-report';
import { REPORT_OPTION_NAMES } from './lane-report';

const PING_WITHIN = 2_000;
const AWAY_FOR = 60_000;

/** How much longer than it may by its options a worker is silent before something is wrong. */
const PATIENCE = 15_000;

/** What a report goes by, in milliseconds. */
interface Terms {
  readonly pingWithin: number;
  readonly awayFor: number;
  readonly silentFor: number | undefined;
  readonly stuckAfter: number;
  readonly lag: number;
  readonly backlogAge: ReadonlyMap<string, number>;
}

const NO_VITALS: WorkerVitals = { running: 0, longestRun: 0, silentFor: null, longestSilence: 0 };

/**
 * Finds out how the application is. It asks each backend once, within a bound, and keeps since when one is away.
 *
 * @internal
 */
export class HealthReporter {
  readonly #awaySince = new Map<string, number>();

  constructor(
    private readonly resources: LaneResources,
    private readonly pool: WorkerPool,
    private readonly states: LaneStates,
    private readonly surroundings: LaneSurroundings,
  ) {}

  /** @throws UnknownOptionError, InvalidDurationError */
  async report(options: ReportOptions = {}): Promise<LaneReport> {
    const terms = this.#check(options);
    const problems: ReportProblem[] = [];
    const { state } = this.states;
    if (this.states.isEnding) {
      problems.push({ kind: 'unready', message: `The application is ${state}.` });
    }
    const workers = this.pool.workers.map((worker) => reportOfWorker(worker, terms, problems));
    const [lag, connections, backlogs] = await Promise.all([
      lagOfEventLoop(),
      // What is closed cannot be asked, and that is as it should be.
      state === 'closed' ? [] : Promise.all(this.#connections(terms, problems)),
      state === 'closed' ? [] : Promise.all(this.#backlogs(terms, problems)),
    ]);
    if (lag > terms.lag) {
      problems.push({ kind: 'unready', message: `The event loop is ${seconds(lag)} late.` });
    }
    return {
      state,
      isLive: problems.every(({ kind }) => kind !== 'stuck'),
      isReady: problems.every(({ kind }) => kind === 'backlog'),
      problems,
      connections,
      workers,
      backlogs,
      lag,
    };
  }

  #check(options: ReportOptions): Terms {
    refuseUnknownOptions('report()', options, REPORT_OPTION_NAMES);
    const read = (name: keyof ReportOptions): number | undefined =>
      options[name] === undefined ? undefined : durationToMillis(name, options[name]);
    const names = this.resources.queues.map(({ name }) => name);
    const ages = Object.entries(options.backlogAge ?? {}).map(([name, age]) => {
      if (!names.includes(name)) {
        throw new UnknownOptionError('backlogAge of report()', name, names);
      }
      return [name, durationToMillis(`backlogAge of queue "${name}"`, age)] as const;
    });
    return {
      pingWithin: read('pingWithin') ?? PING_WITHIN,
      awayFor: read('awayFor') ?? AWAY_FOR,
      silentFor: read('silentFor'),
      stuckAfter: read('stuckAfter') ?? Infinity,
      lag: read('lag') ?? Infinity,
      backlogAge: new Map(ages),
    };
  }

  #connections(terms: Terms, problems: ReportProblem[]): Promise<ConnectionReport>[] {
    return this.resources.connections.map((connection) => this.#connection(connection, terms, problems));
  }

  async #connection(
    { registration: { name }, backend: { kind } }: LaneConnection,
    { pingWithin, awayFor }: Terms,
    problems: ReportProblem[],
  ): Promise<ConnectionReport> {
    const first = this.resources.queues.find(({ connection }) => connection === name);
    if (first === undefined) {
      return { name, kind, isUp: null, awayFor: 0 };
    }
    const answer = await this.#ask(() => first.queue.isPaused(), pingWithin);
    if (answer !== undefined) {
      this.#awaySince.delete(name);
      return { name, kind, isUp: true, awayFor: 0 };
    }
    const now = this.surroundings.clock.now();
    const since = this.#awaySince.get(name) ?? now;
    this.#awaySince.set(name, since);
    const away = now - since;
    const subject = `The ${kind} backend of ${connectionNamed(name)}`;
    problems.push(
      away > awayFor
        ? { kind: 'stuck', message: `${subject} has not answered for ${seconds(away)}.` }
        : { kind: 'unready', message: `${subject} does not answer.` },
    );
    return { name, kind, isUp: false, awayFor: away };
  }

  #backlogs(terms: Terms, problems: ReportProblem[]): Promise<BacklogReport>[] {
    return this.resources.queues
      .filter(({ name }) => terms.backlogAge.has(name))
      .map((queue) => this.#backlog(queue, terms, problems));
  }

  async #backlog(
    { name, connection, queue }: LaneQueue,
    { pingWithin, backlogAge }: Terms,
    problems: ReportProblem[],
  ): Promise<BacklogReport> {
    const answer = await this.#ask(
      () => Promise.all([queue.getWaiting(0, 0), queue.getPrioritized(0, 0)]),
      pingWithin,
    );
    // That the backend does not answer is a problem of its connection.
    if (answer === undefined) {
      return { queue: name, connection, age: null };
    }
    const now = this.surroundings.clock.now();
    const age = answer
      .flat()
      .reduce((oldest, { timestamp, delay }) => Math.max(oldest, now - timestamp - delay), 0);
    if (age > backlogAge.get(name)!) {
      const subject = capitalized(queueNamed(name, connection));
      problems.push({
        kind: 'backlog',
        message: `${subject}: its oldest job has waited for ${seconds(age)}.`,
      });
    }
    return { queue: name, connection, age };
  }

  /** What somebody answers, or `undefined` for an error and for no answer in time. */
  async #ask<Answer>(ask: () => Promise<Answer>, within: number): Promise<Answer | undefined> {
    const answer = ask().catch(() => undefined);
    return (await endsWithin(this.surroundings.clock, answer, within)) ? answer : undefined;
  }
}

function reportOfWorker(
  worker: RestartableWorker,
  { silentFor, stuckAfter }: Terms,
  problems: ReportProblem[],
): WorkerReport {
  const { queue, connection } = worker.plan;
  const subject = capitalized(queueNamed(queue, connection));
  const vitals = worker.running?.vitals() ?? NO_VITALS;
  const { running, longestRun } = vitals;
  if (worker.hasStoppedByItself) {
    problems.push({ kind: 'unready', message: `${subject}: its worker should run and does not.` });
  }
  if (vitals.silentFor !== null && vitals.silentFor > (silentFor ?? vitals.longestSilence + PATIENCE)) {
    const time = seconds(vitals.silentFor);
    problems.push({ kind: 'stuck', message: `${subject}: its worker has heard nothing of it for ${time}.` });
  }
  if (longestRun > stuckAfter) {
    problems.push({ kind: 'unready', message: `${subject}: a job runs for ${seconds(longestRun)}.` });
  }
  return { queue, connection, state: worker.state, running, longestRun, silentFor: vitals.silentFor };
}

/** How late a timer is that is due at once. */
async function lagOfEventLoop(): Promise<number> {
  const due = performance.now() + 1;
  await pause(1);
  return Math.max(0, Math.round(performance.now() - due));
}

function seconds(millis: number): string {
  return millis < 1_000 ? `${Math.round(millis)} ms` : `${Math.round(millis / 1_000)} s`;
}
