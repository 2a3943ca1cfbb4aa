import type { FinishedState } from '../../contract/job-moves';
import type { MetricsRequest, StateMetrics } from '../../contract/metrics';
import type { Step } from './step';
import type { Store } from './store';

const MINUTE = 60_000;

/**
 * Counts the jobs that have finished in a step.
 *
 * @param finishes - how many have come into each state
 * @param maxDataPoints - minutes for which counts are kept
 *
 * @internal
 */
export function countFinished(
  step: Step,
  finishes: Readonly<Record<FinishedState, number>>,
  maxDataPoints: number,
): void {
  for (const state of ['completed', 'failed'] as const) {
    if (finishes[state] > 0) {
      countState(step, state, finishes[state], maxDataPoints);
    }
  }
}

function countState(step: Step, state: FinishedState, finishes: number, maxDataPoints: number): void {
  const { store, queueName, now } = step;
  const row = store.get('metrics', queueName, state);
  if (row === undefined) {
    store.put('metrics', { queue: queueName, state, count: finishes, previousTime: now, previousCount: 0 });
    return;
  }
  const minutes = Math.min(Math.floor(now / MINUTE) - Math.floor(row.previousTime / MINUTE), maxDataPoints);
  if (minutes > 0) {
    // What was counted since the last point, and a 0 for each minute that nobody was there in.
    const newest = [...new Array<number>(minutes - 1).fill(0), row.count - row.previousCount];
    const points = [...newest, ...pointsOf(store, queueName, state)].slice(0, maxDataPoints);
    store.put('metricPoints', { queue: queueName, state, points: JSON.stringify(points) });
    row.previousTime = now;
    row.previousCount = row.count;
  }
  row.count += finishes;
  store.put('metrics', row);
}

/**
 * Reads counts.
 *
 * @internal
 */
export function getMetrics(
  store: Store,
  queueName: string,
  { state, offset, limit }: MetricsRequest,
): StateMetrics {
  const { count = 0, previousTime = 0, previousCount = 0 } = store.get('metrics', queueName, state) ?? {};
  const all = pointsOf(store, queueName, state);
  const points = all.slice(offset, limit === null ? undefined : offset + limit);
  return { count, previousTime, previousCount, points, total: all.length };
}

/**
 * Forgets all counts of a queue.
 *
 * @internal
 */
export function forgetMetrics({ store, queueName }: Step): void {
  for (const state of ['completed', 'failed']) {
    store.delete('metrics', queueName, state);
    store.delete('metricPoints', queueName, state);
  }
}

function pointsOf(store: Store, queueName: string, state: FinishedState): number[] {
  const row = store.get('metricPoints', queueName, state);
  return row === undefined ? [] : (JSON.parse(row.points) as number[]);
}
