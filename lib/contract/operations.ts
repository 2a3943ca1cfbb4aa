import type { QueueEventName } from '../model/queue-event';
import { Refusal } from './refusal';

/**
 * What an operation of the contract may answer and write: the list that the conformance ledger ticks off.
 *
 * @public
 */
export interface OperationSpec {
  /** Whether the operation is numbered, and so repeatable. */
  readonly mutating: boolean;
  readonly refusals: readonly Refusal[];
  readonly events: readonly QueueEventName[];
}

const LEASE_REFUSALS = [Refusal.JobNotFound, Refusal.LeaseMissing, Refusal.LeaseMismatch] as const;

/**
 * Every operation of a `QueueBackend`.
 *
 * @public
 */
export const OPERATIONS = {
  addJobs: { mutating: true, refusals: [], events: ['added', 'waiting', 'delayed', 'duplicated'] },
  claimJobs: { mutating: true, refusals: [], events: ['waiting', 'active'] },
  settleJobs: {
    mutating: true,
    refusals: LEASE_REFUSALS,
    events: ['completed', 'failed', 'retries-exhausted', 'waiting', 'delayed', 'active', 'drained'],
  },
  renewLeases: { mutating: true, refusals: LEASE_REFUSALS, events: [] },
  recoverAbandonedJobs: { mutating: true, refusals: [], events: ['waiting', 'stalled'] },
  claimExpiredJobs: { mutating: true, refusals: [], events: ['waiting', 'active'] },
  // What it writes for a scheduler enters the list with the schedulers that our callers can make.
  planIteration: { mutating: true, refusals: [], events: [] },
  promoteJobs: {
    mutating: true,
    refusals: [Refusal.JobNotFound, Refusal.WrongState],
    events: ['waiting'],
  },
  promoteDelayedJobs: { mutating: true, refusals: [], events: ['waiting'] },
  changeDelays: {
    mutating: true,
    refusals: [Refusal.JobNotFound, Refusal.WrongState],
    events: ['delayed'],
  },
  changePriorities: { mutating: true, refusals: [Refusal.JobNotFound], events: [] },
  retryJobs: { mutating: true, refusals: [Refusal.JobNotFound, Refusal.WrongState], events: ['waiting'] },
  retryFinishedJobs: { mutating: true, refusals: [], events: ['waiting'] },
  updateData: { mutating: true, refusals: [Refusal.JobNotFound], events: [] },
  addLogs: { mutating: true, refusals: [Refusal.JobNotFound], events: [] },
  clearLogs: { mutating: true, refusals: [Refusal.JobNotFound], events: [] },
  updateProgress: { mutating: true, refusals: [Refusal.JobNotFound], events: ['progress'] },
  // An outstanding iteration is refused only where clients of BullMQ have stored schedulers.
  removeJobs: {
    mutating: true,
    refusals: [Refusal.JobNotFound, Refusal.JobLeased],
    events: ['removed'],
  },
  cancelJobs: {
    mutating: true,
    refusals: [Refusal.JobNotFound, Refusal.WrongState],
    events: ['failed', 'drained'],
  },
  cleanJobs: { mutating: true, refusals: [], events: ['cleaned'] },
  drainQueue: { mutating: true, refusals: [], events: [] },
  obliterateQueue: {
    mutating: true,
    refusals: [Refusal.QueueNotPaused, Refusal.QueueActive],
    events: [],
  },
  findOrphanedJobs: { mutating: false, refusals: [], events: [] },
  removeOrphanedJobs: { mutating: true, refusals: [], events: [] },
  getJobs: { mutating: false, refusals: [], events: [] },
  getStates: { mutating: false, refusals: [], events: [] },
  getCounts: { mutating: false, refusals: [], events: [] },
  countDelayed: { mutating: false, refusals: [], events: [] },
  countPriorities: { mutating: false, refusals: [], events: [] },
  getMetrics: { mutating: false, refusals: [], events: [] },
  getPage: { mutating: false, refusals: [], events: [] },
  getLogs: { mutating: false, refusals: [], events: [] },
  getWorkers: { mutating: false, refusals: [], events: [] },
  pause: { mutating: true, refusals: [], events: ['paused'] },
  resume: { mutating: true, refusals: [], events: ['resumed'] },
  setCeiling: { mutating: true, refusals: [], events: [] },
  setRateLimit: { mutating: true, refusals: [], events: [] },
  limitClaims: { mutating: true, refusals: [], events: [] },
  isPaused: { mutating: false, refusals: [], events: [] },
  isMaxed: { mutating: false, refusals: [], events: [] },
  getRateLimitTtl: { mutating: false, refusals: [], events: [] },
  getSettings: { mutating: false, refusals: [], events: [] },
  readEvents: { mutating: false, refusals: [], events: [] },
  // What it writes are events of its callers.
  publishEvents: { mutating: true, refusals: [], events: [] },
  lastEventId: { mutating: false, refusals: [], events: [] },
  trimEvents: { mutating: true, refusals: [], events: [] },
  waitForWork: { mutating: false, refusals: [], events: [] },
  ready: { mutating: false, refusals: [], events: [] },
  time: { mutating: false, refusals: [], events: [] },
  close: { mutating: false, refusals: [], events: [] },
} as const satisfies Record<string, OperationSpec>;

/** Name of an operation of the contract. @public */
export type OperationName = keyof typeof OPERATIONS;
