/**
 * Where a job stands. `prioritized` is waiting with a priority of 1 or more; a paused queue keeps its jobs where
 * they are. `waiting-children` is waiting for other jobs, in flows that clients of BullMQ make; none of ours do so yet.
 *
 * @public
 */
export type JobState =
  'waiting' | 'prioritized' | 'delayed' | 'active' | 'completed' | 'failed' | 'waiting-children';

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
  'waiting-children',
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
  added: ['waiting', 'prioritized', 'delayed', 'waiting-children'],
  waiting: ['active', 'waiting', 'prioritized'],
  prioritized: ['active', 'waiting', 'prioritized'],
  delayed: ['waiting', 'prioritized', 'delayed'],
  active: ['completed', 'failed', 'delayed', 'waiting', 'prioritized', 'waiting-children'],
  completed: ['waiting', 'prioritized'],
  failed: ['waiting', 'prioritized'],
  'waiting-children': ['waiting', 'prioritized', 'delayed'],
};
