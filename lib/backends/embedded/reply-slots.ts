import type { Claim } from '../../contract/job-handover';
import { CHANNELS, type MutatingCall, type Reply } from '../../contract/mutating-call';
import { CallExpiredError } from '../../model/errors/call-expired.error';
import { StaleCallError } from '../../model/errors/stale-call.error';
import { toRecord } from './job-row';
import { isLeased } from './leases';
import type { Step } from './step';
import type { JobRow, Store } from './store';

/** What a call may have replied: any reply, with a claim if the operation makes one. */
type AnyReply = Reply & { claim?: Claim | null };

/** A reply as kept: whatever jobs were claimed can change, so their ids are. */
type KeptReply = Reply & { claim?: (Omit<Claim, 'jobs'> & { ids: string[] }) | null };

/** Least time in milliseconds for which the reply of a call is kept. */
const LEAST_KEPT = 600_000;

/** Slots that outlived their callers, dropped with each call. */
const DROPPED_PER_CALL = 2;

/**
 * Answers a call that ran before.
 *
 * @returns `undefined` when it is new
 * @throws StaleCallError when a later call of its channel ran
 * @throws CallExpiredError when it is new and its time is over
 *
 * @internal
 */
export function recall(step: Step, call: MutatingCall): Reply | undefined {
  const slot = step.store.get('calls', call.caller, call.channel);
  if (slot !== undefined && slot.expiresAt > step.now && call.sequence <= slot.sequence) {
    if (call.sequence < slot.sequence) {
      throw new StaleCallError(call.channel, call.sequence);
    }
    return restore(step, slot.reply);
  }
  if (step.now > call.notAfter) {
    throw new CallExpiredError(call.channel, step.now - call.notAfter);
  }
  return undefined;
}

/**
 * Keeps the reply of a call for when it is made again.
 *
 * @param leaseDuration - of the leases that the call took or renewed, else 0
 *
 * @internal
 */
export function remember(step: Step, call: MutatingCall, reply: Reply, leaseDuration: number): void {
  const expired = { to: step.now, limit: DROPPED_PER_CALL };
  step.store.deleteRange('callsByExpiry', [step.queueName], expired);
  step.store.put('calls', {
    caller: call.caller,
    channel: call.channel,
    queue: step.queueName,
    sequence: call.sequence,
    reply: JSON.stringify(toKept(reply)),
    // The call may be made again until its time is over.
    expiresAt: Math.max(step.now + Math.max(LEAST_KEPT, 2 * leaseDuration), call.notAfter + 1),
    written: step.nextBack(),
  });
}

/**
 * Drops the slots of a caller that will make no more calls.
 *
 * @internal
 */
export function forget(store: Store, caller: string): void {
  for (const channel of Object.values(CHANNELS).flat()) {
    store.delete('calls', caller, channel);
  }
}

function toKept(reply: AnyReply): KeptReply {
  const { claim } = reply;
  if (claim == null) {
    return reply as KeptReply;
  }
  const { jobs, ...rest } = claim;
  return { ...reply, claim: { ...rest, ids: jobs.map((job) => job.id) } };
}

function restore(step: Step, kept: string): Reply {
  const { claim, ...reply } = JSON.parse(kept) as KeptReply;
  if (claim == null) {
    return claim === null ? ({ ...reply, claim } as Reply) : reply;
  }
  const { ids, ...rest } = claim;
  const rows = ids
    .map((id) => step.store.get('jobs', step.queueName, id))
    .filter((row): row is JobRow => row !== undefined && row.token === claim.token && isLeased(step, row));
  return { ...reply, claim: { ...rest, jobs: rows.map(toRecord) } } as Reply;
}
