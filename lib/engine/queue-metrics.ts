/* eslint-disable @typescript-eslint/no-explicit-any -- untyped queues are used as in BullMQ */
import type { FinishedState } from '../contract/job-moves';
import { prometheusText } from '../model/prometheus-text';
import { checkFinishedState, rangeOf } from './queue-arguments';
import type { Job } from './job';
import { QueueGetters } from './queue-getters';

/**
 * How many jobs have come into a state, by the minute.
 *
 * @public
 */
export interface QueueMetricsPage {
  meta: {
    /** Jobs that were counted, ever. */
    count: number;
    /** Time in milliseconds at which the last minute was closed, or 0 before the first job. */
    prevTS: number;
    /** Jobs that were counted until then. */
    prevCount: number;
  };
  /** Jobs per minute, newest first, up to the last minute that was followed by a job. */
  data: number[];
  /** Minutes that are kept in all. */
  count: number;
}

/**
 * The part of a `Queue` that counts what has happened.
 *
 * @internal
 */
export abstract class QueueMetrics<AnyJob extends Job = Job, Result = any> extends QueueGetters<
  AnyJob,
  Result
> {
  /**
   * How many jobs have ended well, or failed for good, by the minute: in all workers that count them (option
   * `metrics`), those of BullMQ included.
   *
   * @param type - which end
   * @param start - first minute, from 0, the newest one
   * @param end - last minute, included; -1 for all
   * @throws UnknownJobStateError for another state, InvalidRangeError for a bad position
   */
  async getMetrics(type: FinishedState, start = 0, end = -1): Promise<QueueMetricsPage> {
    checkFinishedState(type);
    const range = rangeOf(start, end);
    const { backend } = await this.use('getMetrics');
    const metrics = await backend.getMetrics({ state: type, ...range });
    const { count, previousTime: prevTS, previousCount: prevCount, points, total } = metrics;
    return { meta: { count, prevTS, prevCount }, data: points, count: total };
  }

  /**
   * The queue in figures, in the text format of Prometheus: jobs by state, and how many ended well or failed for good,
   * as far as workers count them (option `metrics`). The names are BullMQ's, so that dashboards go on.
   *
   * @param labels - for every figure, besides `queue` and `state`
   * @throws InvalidLabelError for a label that cannot be used
   */
  async exportPrometheusMetrics(labels: Readonly<Record<string, string>> = {}): Promise<string> {
    const [counts, completed, failed] = await Promise.all([
      this.getJobCounts(),
      this.getMetrics('completed', 0, 0),
      this.getMetrics('failed', 0, 0),
    ]);
    const queue = this.name;
    const total = (state: FinishedState, { meta }: QueueMetricsPage) =>
      ({
        name: `bullmq_job_${state}_total`,
        help: `Jobs that have ${state} so far`,
        type: 'counter',
        samples: [{ labels: { queue }, value: meta.count }],
      }) as const;
    return prometheusText(
      [
        {
          name: 'bullmq_job_count',
          help: 'Jobs in the queue by state',
          type: 'gauge',
          samples: Object.entries(counts).map(([state, value]) => ({ labels: { queue, state }, value })),
        },
        total('completed', completed),
        total('failed', failed),
      ],
      labels,
    );
  }
}
