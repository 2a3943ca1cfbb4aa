import { describe, expect, it } from '@jest/globals';

import { Refusal, refusalError } from '../../../lib/contract/refusal';
import { FailedChildrenError } from '../../../lib/model/errors/failed-children.error';
import { JobLeasedError } from '../../../lib/model/errors/job-leased.error';
import { JobNotFoundError } from '../../../lib/model/errors/job-not-found.error';
import { LeaseLostError } from '../../../lib/model/errors/lease-lost.error';
import { OutstandingIterationError } from '../../../lib/model/errors/outstanding-iteration.error';
import { QueueActiveError } from '../../../lib/model/errors/queue-active.error';
import { QueueNotPausedError } from '../../../lib/model/errors/queue-not-paused.error';
import { UnfinishedChildrenError } from '../../../lib/model/errors/unfinished-children.error';
import { WrongJobStateError } from '../../../lib/model/errors/wrong-job-state.error';

/** Storage protocol, section 13; those below -100 are our own. */
const NUMBERS: Record<keyof typeof Refusal, number> = {
  JobNotFound: -1,
  LeaseMissing: -2,
  WrongState: -3,
  PendingChildren: -4,
  LeaseMismatch: -6,
  OutstandingIteration: -8,
  FailedChildren: -9,
  JobLeased: -101,
  QueueNotPaused: -102,
  QueueActive: -103,
};

describe('Refusal', () => {
  it('has the numbers of the storage protocol, and own ones below them', () => {
    const refusals = Object.entries(Refusal).filter(([, value]) => typeof value === 'number');
    expect(Object.fromEntries(refusals)).toEqual(NUMBERS);
  });
});

describe('refusalError', () => {
  it.each([
    ['JobNotFound', Refusal.JobNotFound, JobNotFoundError],
    ['LeaseMissing', Refusal.LeaseMissing, LeaseLostError],
    ['LeaseMismatch', Refusal.LeaseMismatch, LeaseLostError],
    ['WrongState', Refusal.WrongState, WrongJobStateError],
    ['PendingChildren', Refusal.PendingChildren, UnfinishedChildrenError],
    ['FailedChildren', Refusal.FailedChildren, FailedChildrenError],
    ['OutstandingIteration', Refusal.OutstandingIteration, OutstandingIterationError],
    ['JobLeased', Refusal.JobLeased, JobLeasedError],
  ])('turns %s into the error of its meaning, with job and queue', (_, refusal, Type) => {
    const error = refusalError(refusal, 'a-1', 'email');
    expect(error).toBeInstanceOf(Type);
    expect(error).toMatchObject({ jobId: 'a-1', queueName: 'email' });
  });

  it.each([
    ['QueueNotPaused', Refusal.QueueNotPaused, QueueNotPausedError],
    ['QueueActive', Refusal.QueueActive, QueueActiveError],
  ])('turns %s into the error of its meaning, with the queue', (_, refusal, Type) => {
    const error = refusalError(refusal, '', 'email');
    expect(error).toBeInstanceOf(Type);
    expect(error).toMatchObject({ queueName: 'email' });
  });

  it('says which states the call takes', () => {
    const error = refusalError(Refusal.WrongState, 'a-1', 'email', 'promote takes delayed jobs');
    expect(error.message).toContain('promote takes delayed jobs');
  });

  it('has an error for every refusal', () => {
    for (const refusal of Object.values(NUMBERS)) {
      expect(refusalError(refusal, 'a-1', 'email')).toBeInstanceOf(Error);
    }
  });
});
