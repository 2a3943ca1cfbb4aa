/**
 * Where a job stands. `prioritized` is waiting with a priority of 1 or more; a paused queue keeps its jobs where
 * they are.
 *
 * @public
 */
export type JobState = 'waiting' | 'prioritized' | 'delayed' | 'active' | 'completed' | 'failed';

/**
 * Every state, in the order in which tables and counts list them.
 *
 * @public
 */
export const JOB_STATES: readonly JobState[] = [
  'waiting',
  'prioritized',
  'delayed',
  'active',
  'completed',
  'failed',
];

/**
 * The moves that a job may make, from each state; `added` stands for a job that is not stored yet.
 * Retention removes finished jobs, which is not a move.
 *
 * Storage protocol, section 14.
 *
 * @public
 */
export const ALLOWED_MOVES: Readonly<Record<JobState | 'added', readonly JobState[]>> = {
  added: ['waiting', 'prioritized', 'delayed'],
  waiting: ['active'],
  prioritized: ['active'],
  delayed: ['waiting', 'prioritized'],
  active: ['completed', 'failed', 'delayed', 'waiting', 'prioritized'],
  completed: [],
  failed: [],
};
