import { JOB_STATES, type JobRecord, type JobState, type StoredEvent } from 'nestjs-lane/contract';

import type { Side } from './side';

/** All that a store tells of a queue. */
export interface Observation {
  readonly isPaused: boolean;
  readonly counts: Record<JobState, number>;
  /** Every job by its state: the next to run, the first claimed, or the first finished first. */
  readonly jobs: Record<JobState, JobRecord[]>;
  /** Those since the last look. */
  readonly events: Omit<StoredEvent, 'id'>[];
}

export const NOTHING_SEEN: Observation = {
  isPaused: false,
  counts: byState(() => 0),
  jobs: byState(() => []),
  events: [],
};

export async function observe(side: Side): Promise<Observation> {
  const { observer } = side;
  const [isPaused, counts, events, ...pages] = await Promise.all([
    observer.isPaused(),
    observer.getCounts(),
    side.newEvents(),
    ...JOB_STATES.map((state) => observer.getPage({ state, offset: 0, limit: null, order: 'ascending' })),
  ]);
  const jobs = byState((state) => pages[JOB_STATES.indexOf(state)]!);
  return { isPaused, counts, jobs, events };
}

export function allJobs({ jobs }: Observation): JobRecord[] {
  return Object.values(jobs).flat();
}

function byState<Value>(valueOf: (state: JobState) => Value): Record<JobState, Value> {
  return Object.fromEntries(JOB_STATES.map((state) => [state, valueOf(state)])) as Record<JobState, Value>;
}
