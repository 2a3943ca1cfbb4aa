import type { Clock } from '../../contract/clock';
import { MAX_EVENTS } from '../../contract/event-log';
import type { MetricsRequest, StateMetrics } from '../../contract/metrics';
import type { LogPage, LogPageRequest } from '../../contract/job-logs';
import type { QueueSettings } from '../../contract/queue-limits';
import type { PageRequest } from '../../contract/job-lookup';
import type { JobRecord } from '../../model/job-record';
import { JOB_STATES, type JobState } from '../../model/job-state';
import { toJobRecord, type JobRow } from './job-record-codec';
import {
  COUNT_DELAYED,
  COUNT_PRIORITIES,
  GET_COUNTS,
  GET_JOBS,
  GET_LIMITS,
  GET_LOGS,
  GET_METRICS,
  GET_PAGE,
  GET_STATES,
} from './lua-scripts';
import type { RedisClient } from './redis-client';

/** Jobs that one script reads. */
const PORTION = 1_000;

/** In the order of lua/commands/get-counts.lua. */
const COUNTED: readonly JobState[] = JOB_STATES;

/**
 * Reading the jobs of one queue.
 *
 * @internal
 */
export class Lookups {
  constructor(
    private readonly client: RedisClient,
    private readonly base: string,
    private readonly clock: Clock | undefined,
  ) {}

  async getJobs(ids: readonly string[]): Promise<(JobRecord | null)[]> {
    const found = (await this.#inPortions(ids, GET_JOBS)) as [JobState | '', JobRow][];
    return found.map(([state, row], index) => (state === '' ? null : toJobRecord(ids[index]!, state, row)));
  }

  async getStates(ids: readonly string[]): Promise<(JobState | null)[]> {
    const states = (await this.#inPortions(ids, GET_STATES)) as (JobState | '')[];
    return states.map((state) => (state === '' ? null : state));
  }

  async getCounts(): Promise<Record<JobState, number>> {
    const counts = (await this.client.run(
      GET_COUNTS,
      this.base,
      GET_COUNTS.encode(this.#head()),
    )) as number[];
    return Object.fromEntries(COUNTED.map((state, index) => [state, counts[index]!])) as Record<
      JobState,
      number
    >;
  }

  /** Portion by portion; an id without a job is no gap, since the page goes on behind it. */
  async getPage({ state, offset, limit, order }: PageRequest): Promise<JobRecord[]> {
    const records: JobRecord[] = [];
    const wanted = limit ?? Infinity;
    const isDescending = order === 'descending' ? 1 : 0;
    for (let next = offset; records.length < wanted;) {
      const portion = Math.min(PORTION, wanted - records.length);
      const args = GET_PAGE.encode({ ...this.#head(), state, offset: next, limit: portion, isDescending });
      const [ids, rows, seen] = (await this.client.run(GET_PAGE, this.base, args)) as [
        string[],
        JobRow[],
        number,
      ];
      records.push(...ids.map((id, index) => toJobRecord(id, state, rows[index]!)));
      if (seen < portion) {
        break;
      }
      next += seen;
    }
    return records;
  }

  async countDelayed(before: number): Promise<number> {
    const args = COUNT_DELAYED.encode({ before });
    return (await this.client.run(COUNT_DELAYED, this.base, args)) as number;
  }

  async countPriorities(priorities: readonly number[]): Promise<number[]> {
    const items = priorities.map((priority) => ({ priority }));
    const args = COUNT_PRIORITIES.encode(this.#head(), items);
    return (await this.client.run(COUNT_PRIORITIES, this.base, args)) as number[];
  }

  async getMetrics({ state, offset, limit }: MetricsRequest): Promise<StateMetrics> {
    const last = limit === null ? -1 : offset + limit - 1;
    const args = GET_METRICS.encode({ state, first: offset, last });
    const reply = await this.client.run(GET_METRICS, this.base, args);
    const [count, previousTime, previousCount, points, total] = reply as [
      string,
      string,
      string,
      string[],
      number,
    ];
    return {
      count: numberOf(count),
      previousTime: numberOf(previousTime),
      previousCount: numberOf(previousCount),
      points: limit === 0 ? [] : points.map(numberOf),
      total,
    };
  }

  /** Rows are counted from the end of a list for the newest first. */
  async getLogs({ id, offset, limit, order }: LogPageRequest): Promise<LogPage> {
    const end = limit === null ? null : offset + limit - 1;
    const isDescending = order === 'descending';
    const [first, last] = isDescending ? [end === null ? 0 : -end - 1, -offset - 1] : [offset, end ?? -1];
    const args = GET_LOGS.encode({ id, first, last });
    const [rows, count] = (await this.client.run(GET_LOGS, this.base, args)) as [string[], number];
    return { rows: limit === 0 ? [] : isDescending ? rows.reverse() : rows, count };
  }

  async isPaused(): Promise<boolean> {
    return (await this.client.use((client) => client.hexists(`${this.base}meta`, 'paused'))) === 1;
  }

  async isMaxed(): Promise<boolean> {
    return (await this.#limits(null)).isMaxed;
  }

  async getRateLimitTtl(max: number | null): Promise<number> {
    return (await this.#limits(max)).limitedFor;
  }

  async getSettings(): Promise<QueueSettings> {
    const [paused, ceiling, max, duration, maxEvents, version] = await this.client.use((client) =>
      client.hmget(
        `${this.base}meta`,
        'paused',
        'concurrency',
        'max',
        'duration',
        'opts.maxLenEvents',
        'version',
      ),
    );
    return {
      isPaused: paused != null,
      ceiling: numberIn(ceiling),
      max: numberIn(max),
      duration: numberIn(duration),
      maxEvents: numberIn(maxEvents) ?? MAX_EVENTS,
      version: version ?? null,
    };
  }

  async #limits(max: number | null): Promise<{ isMaxed: boolean; limitedFor: number }> {
    const args = GET_LIMITS.encode({ ...this.#head(), max: max ?? '' });
    const [isMaxed, limitedFor] = (await this.client.run(GET_LIMITS, this.base, args)) as [number, number];
    return { isMaxed: isMaxed === 1, limitedFor };
  }

  async #inPortions(ids: readonly string[], script: typeof GET_JOBS | typeof GET_STATES): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let first = 0; first < ids.length; first += PORTION) {
      const items = ids.slice(first, first + PORTION).map((id) => ({ id }));
      found.push(
        ...((await this.client.run(script, this.base, script.encode(this.#head(), items))) as unknown[]),
      );
    }
    return found;
  }

  #head(): { now: string | number } {
    return { now: this.clock?.now() ?? '' };
  }
}

/** What is no number, or has no end, counts for nothing, see lua/includes/step.lua. */
function numberIn(text: string | null | undefined): number | null {
  const number = text == null || text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Other clients store what they like: no number is none. */
function numberOf(text: string): number {
  return Number(text) || 0;
}
