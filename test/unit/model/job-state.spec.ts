import { describe, expect, it } from '@jest/globals';

import { ALLOWED_MOVES, JOB_STATES, type JobState } from '../../../lib/model/job-state';

/** Storage protocol, section 14. */
const MOVES: readonly [from: JobState | 'added', to: JobState][] = [
  ['added', 'waiting'],
  ['added', 'prioritized'],
  ['added', 'delayed'],
  ['added', 'waiting-children'],
  ['delayed', 'waiting'],
  ['delayed', 'prioritized'],
  ['delayed', 'delayed'],
  ['waiting', 'active'],
  ['waiting', 'waiting'],
  ['waiting', 'prioritized'],
  ['prioritized', 'active'],
  ['prioritized', 'waiting'],
  ['prioritized', 'prioritized'],
  ['active', 'completed'],
  ['active', 'failed'],
  ['active', 'delayed'],
  ['active', 'waiting'],
  ['active', 'prioritized'],
  ['active', 'waiting-children'],
  ['completed', 'waiting'],
  ['completed', 'prioritized'],
  ['failed', 'waiting'],
  ['failed', 'prioritized'],
  ['waiting-children', 'waiting'],
  ['waiting-children', 'prioritized'],
  ['waiting-children', 'delayed'],
];

describe('the states of a job', () => {
  it('are listed once each, in the order of tables and counts', () => {
    expect(JOB_STATES).toEqual([
      'waiting',
      'prioritized',
      'delayed',
      'active',
      'completed',
      'failed',
      'waiting-children',
    ]);
  });

  it('allow the moves of the storage protocol and no others', () => {
    const allowed = Object.entries(ALLOWED_MOVES).flatMap(([from, states]) =>
      states.map((to) => `${from} ${to}`),
    );
    expect(allowed.sort()).toEqual(MOVES.map(([from, to]) => `${from} ${to}`).sort());
  });

  it('have a row each, besides the one for jobs that are not stored yet', () => {
    expect(Object.keys(ALLOWED_MOVES).sort()).toEqual(['added', ...JOB_STATES].sort());
  });

  it('are all reached from the start, through active alone to the end', () => {
    const reached = new Set<JobState>();
    const visit = (state: JobState | 'added'): void => {
      for (const next of ALLOWED_MOVES[state]) {
        if (!reached.has(next)) {
          reached.add(next);
          visit(next);
        }
      }
    };
    visit('added');
    expect([...reached].sort()).toEqual([...JOB_STATES].sort());
    for (const state of ['added', ...JOB_STATES] as const) {
      const ends = ALLOWED_MOVES[state].some((next) => next === 'completed' || next === 'failed');
      expect([state, ends]).toEqual([state, state === 'active']);
    }
  });
});
