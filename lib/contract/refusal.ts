import { FailedChildrenError } from '../model/errors/failed-children.error';
import { JobLeasedError } from '../model/errors/job-leased.error';
import { JobNotFoundError } from '../model/errors/job-not-found.error';
import type { LaneError } from '../model/errors/lane-error';
import { LeaseLostError } from '../model/errors/lease-lost.error';
import { OutstandingIterationError } from '../model/errors/outstanding-iteration.error';
import { QueueActiveError } from '../model/errors/queue-active.error';
import { QueueNotPausedError } from '../model/errors/queue-not-paused.error';
import { UnfinishedChildrenError } from '../model/errors/unfinished-children.error';
import { WrongJobStateError } from '../model/errors/wrong-job-state.error';

/**
 * What a backend may answer instead of carrying out one item of a call. An item that is refused changed nothing,
 * and does not touch the other items. The numbers down to -11 are those of the storage protocol, section 13; below -100
 * they are our own.
 *
 * @public
 */
export enum Refusal {
  /** The queue holds no job of that id. */
  JobNotFound = -1,
  /** The job is not leased: it is not active, or its lease ran out. */
  LeaseMissing = -2,
  /** The job is in a state in which the call cannot be done. */
  WrongState = -3,
  /** The job cannot complete: children are not done. Only where clients of BullMQ have stored flows. */
  PendingChildren = -4,
  /** The job is leased to somebody else. */
  LeaseMismatch = -6,
  /** The job is what its scheduler goes on from. Only where clients of BullMQ have stored schedulers. */
  OutstandingIteration = -8,
  /** The job cannot complete: a child has failed that takes it along. Only where clients of BullMQ have stored flows. */
  FailedChildren = -9,
  /** A worker has the job, or one that would go with it. */
  JobLeased = -101,
  /** The queue is not paused. */
  QueueNotPaused = -102,
  /** Jobs of the queue are active. */
  QueueActive = -103,
}

/**
 * The error that a refusal becomes for a caller.
 *
 * @param rule - for `WrongState`: which states the call takes, such as `promote takes delayed jobs`
 *
 * @public
 */
export function refusalError(refusal: Refusal, jobId: string, queueName: string, rule?: string): LaneError {
  switch (refusal) {
    case Refusal.JobNotFound:
      return new JobNotFoundError(jobId, queueName);
    case Refusal.LeaseMissing:
    case Refusal.LeaseMismatch:
      return new LeaseLostError(jobId, queueName);
    case Refusal.WrongState:
      return new WrongJobStateError(jobId, queueName, rule);
    case Refusal.PendingChildren:
      return new UnfinishedChildrenError(jobId, queueName);
    case Refusal.FailedChildren:
      return new FailedChildrenError(jobId, queueName);
    case Refusal.OutstandingIteration:
      return new OutstandingIterationError(jobId, queueName);
    case Refusal.JobLeased:
      return new JobLeasedError(jobId, queueName);
    case Refusal.QueueNotPaused:
      return new QueueNotPausedError(queueName);
    case Refusal.QueueActive:
      return new QueueActiveError(queueName);
  }
}
