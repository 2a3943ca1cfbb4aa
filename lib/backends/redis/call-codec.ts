import type { Claim, ClaimIdle, ClaimRequest, Outcome } from '../../contract/job-handover';
import { leaseTokenOf, type MutatingCall } from '../../contract/mutating-call';
import type { Refusal } from '../../contract/refusal';
import { CallExpiredError } from '../../model/errors/call-expired.error';
import { StaleCallError } from '../../model/errors/stale-call.error';
import type { Retention } from '../../model/policy/retention';
import { toJobRecord, type JobRow } from './job-record-codec';
import type { SettleJobsItem } from './lua-scripts';

/** First item of every reply to a numbered call, see lua/includes/calls.lua. */
const STALE = 2;
const EXPIRED = 3;

/**
 * What a numbered call was answered.
 *
 * @throws StaleCallError or CallExpiredError when it must not run
 *
 * @internal
 */
export function acceptReply(reply: unknown, call: MutatingCall): readonly unknown[] {
  const [status, ...rest] = reply as readonly unknown[];
  if (status === STALE) {
    throw new StaleCallError(call.channel, call.sequence);
  }
  if (status === EXPIRED) {
    throw new CallExpiredError(call.channel, Number(rest[0]));
  }
  return rest;
}

/** @internal */
export interface ClaimArguments {
  readonly count: number;
  readonly leaseDuration: number;
  readonly workerName: string;
  readonly token: string;
}

/** @internal */
export function claimArguments(request: ClaimRequest | null, call: MutatingCall): ClaimArguments {
  return {
    count: request?.count ?? 0,
    leaseDuration: request?.leaseDuration ?? 0,
    workerName: request?.workerName ?? '',
    token: leaseTokenOf(call),
  };
}

/** By the numbers of lua/includes/claim.lua. */
const IDLE_REASONS: readonly (ClaimIdle['reason'] | null)[] = [null, 'empty', 'paused', 'blocked'];

/** @internal */
export function toClaim(
  ids: unknown,
  idle: unknown,
  dueIn: unknown,
  rows: unknown,
  call: MutatingCall,
): Claim {
  const jobRows = rows as readonly JobRow[];
  const reason = IDLE_REASONS[Number(idle)]!;
  return {
    jobs: (ids as readonly string[]).map((id, index) => toJobRecord(id, 'active', jobRows[index]!)),
    token: leaseTokenOf(call),
    idle: reason === null ? null : { reason, dueIn: Number(dueIn) < 0 ? null : Number(dueIn) },
  };
}

/** @internal */
export function toRefusals(refusals: unknown): (Refusal | null)[] {
  return (refusals as readonly number[]).map((refusal) => (refusal === 0 ? null : refusal));
}

/** @internal */
export function toSettleItem(outcome: Outcome): SettleJobsItem {
  const { kind, id, token: outcomeToken } = outcome;
  switch (outcome.kind) {
    case 'completed': {
      const terms = retentionTerms(outcome.retention);
      return { kind, id, outcomeToken, text: outcome.returnValue, stacktrace: '', terms };
    }
    case 'failed': {
      const { retention, attempts, code, reason, stacktrace } = outcome;
      const terms = `${retentionTerms(retention)}:${attempts}:${code ?? ''}`;
      return { kind, id, outcomeToken, text: reason, stacktrace, terms };
    }
    case 'retry': {
      const { delay, lifo, reason, stacktrace } = outcome;
      return { kind, id, outcomeToken, text: reason, stacktrace, terms: `${delay}:${lifo ? 1 : 0}` };
    }
    case 'handed-back':
      return { kind, id, outcomeToken, text: '', stacktrace: '', terms: '' };
  }
}

function retentionTerms({ count, age, limit }: Retention): string {
  return `${count}:${age ?? ''}:${limit}`;
}
