import { describe, expect, it } from '@jest/globals';

import type { MutatingCall, Reply } from '../../../lib/contract/mutating-call';
import { type OperationName, OPERATIONS, type OperationSpec } from '../../../lib/contract/operations';
import type { QueueBackend } from '../../../lib/contract/queue-backend';
import { Refusal } from '../../../lib/contract/refusal';
import { QUEUE_EVENT_NAMES } from '../../../lib/model/queue-event';

type Methods = {
  [
    Name in keyof QueueBackend as QueueBackend[Name] extends (...args: never[]) => unknown ? Name : never
  ]: QueueBackend[Name];
};

type TakesNumber<Name extends keyof Methods> =
  Parameters<QueueBackend[Name]> extends [...unknown[], MutatingCall]
    ? Awaited<ReturnType<QueueBackend[Name]>> extends Reply
      ? true
      : never
    : false;

/**
 * The compiler fails here when a method of the contract is missing, when the list says the wrong thing about one, and
 * when one takes a number but answers no store time.
 */
const NUMBERED: { [Name in keyof Methods]: TakesNumber<Name> } = {
  addJobs: true,
  claimJobs: true,
  settleJobs: true,
  renewLeases: true,
  recoverAbandonedJobs: true,
  claimExpiredJobs: true,
  planIteration: true,
  promoteJobs: true,
  promoteDelayedJobs: true,
  changeDelays: true,
  changePriorities: true,
  retryJobs: true,
  retryFinishedJobs: true,
  updateProgress: true,
  removeJobs: true,
  cancelJobs: true,
  cleanJobs: true,
  drainQueue: true,
  obliterateQueue: true,
  findOrphanedJobs: false,
  removeOrphanedJobs: true,
  updateData: true,
  addLogs: true,
  clearLogs: true,
  getLogs: false,
  countDelayed: false,
  countPriorities: false,
  getMetrics: false,
  publishEvents: true,
  getJobs: false,
  getStates: false,
  getCounts: false,
  getPage: false,
  getWorkers: false,
  pause: true,
  resume: true,
  setCeiling: true,
  setRateLimit: true,
  limitClaims: true,
  isPaused: false,
  isMaxed: false,
  getRateLimitTtl: false,
  getSettings: false,
  readEvents: false,
  lastEventId: false,
  trimEvents: true,
  waitForWork: false,
  ready: false,
  time: false,
  close: false,
};

const TABLE = Object.entries(OPERATIONS) as [OperationName, OperationSpec][];

describe('the table of operations', () => {
  it('has a row for every method of the contract', () => {
    expect(Object.keys(OPERATIONS).sort()).toEqual(Object.keys(NUMBERED).sort());
  });

  it.each(TABLE)('numbers %s exactly when it changes something', (name, { mutating, refusals, events }) => {
    expect(mutating).toBe(NUMBERED[name]);
    // What only reads writes no event and refuses no item.
    expect(mutating || refusals.length + events.length === 0).toBe(true);
  });

  it.each(TABLE)('names known refusals and events of %s, once each', (_, { refusals, events }) => {
    expect(new Set(refusals).size).toBe(refusals.length);
    expect(new Set(events).size).toBe(events.length);
    expect(refusals.filter((refusal) => Refusal[refusal] === undefined)).toEqual([]);
    expect(events.filter((event) => !QUEUE_EVENT_NAMES.includes(event))).toEqual([]);
  });

  it('has every event written by some operation', () => {
    const written = new Set(TABLE.flatMap(([, { events }]) => events));
    // Flows and deduplication come from clients of BullMQ alone: test/interop has them.
    expect(QUEUE_EVENT_NAMES.filter((name) => !written.has(name))).toEqual([
      'waiting-children',
      'deduplicated',
      'debounced',
    ]);
  });

  it('has every refusal answered by some operation', () => {
    // Flows and schedulers are stored by clients of BullMQ alone: test/interop has them.
    const ofBullMq = [Refusal.PendingChildren, Refusal.FailedChildren, Refusal.OutstandingIteration];
    const answered = new Set([...ofBullMq, ...TABLE.flatMap(([, { refusals }]) => refusals)]);
    const numbers = Object.values(Refusal).filter((value) => typeof value === 'number');
    expect(numbers.filter((refusal) => !answered.has(refusal))).toEqual([]);
  });

  it('lets settling write what claiming writes, since it claims in the same step', () => {
    const { events } = OPERATIONS.settleJobs;
    expect(events).toEqual(expect.arrayContaining([...OPERATIONS.claimJobs.events]));
  });
});
