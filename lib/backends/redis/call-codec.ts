import type { CancelAnswer, CancelNotice } from '../../contract/job-cancelling';
import type { Claim, ClaimIdle, ClaimRequest, Outcome } from '../../contract/job-handover';
import type { PatternIteration } from '../../contract/iteration-planning';
import { leaseTokenOf, type MutatingCall } from '../../contract/mutating-call';
import type { Refusal } from '../../contract/refusal';
import { CallExpiredError } from '../../model/errors/call-expired.error';
import { StaleCallError } from '../../model/errors/stale-call.error';
import type { JobRecord } from '../../model/job-record';
import type { Retention } from '../../model/policy/retention';
import type { RateLimit } from '../../model/rate-limit';
import { toJobRecord } from './job-record-codec';
import type { ClaimJobsHead, SettleJobsHead, SettleJobsItem } from './lua-scripts';

/** First item of every reply to a numbered call, see lua/includes/calls.lua. */
const RAN = 0;
const STALE = 2;
const EXPIRED = 3;

/**
 * What a numbered call was answered, after the status: the time, then whatever the command answers.
 *
 * @throws StaleCallError or CallExpiredError when it must not run
 *
 * @internal
 */
export function acceptReply(
  reply: unknown,
  call: MutatingCall,
): { readonly isFirst: boolean; readonly values: readonly unknown[] } {
  const [status, ...rest] = reply as readonly unknown[];
  if (status === STALE) {
    throw new StaleCallError(call.channel, call.sequence);
  }
  if (status === EXPIRED) {
    throw new CallExpiredError(call.channel, Number(rest[0]));
  }
  return { isFirst: status === RAN, values: rest };
}

/** @internal */
export interface ClaimArguments extends Pick<ClaimJobsHead, 'mark'> {
  readonly count: number;
  readonly leaseDuration: number;
  readonly workerName: string;
  readonly token: string;
  readonly limiter: string;
}

/** @internal */
export function claimArguments(request: ClaimRequest | null, call: MutatingCall): ClaimArguments {
  return {
    count: request?.count ?? 0,
    leaseDuration: request?.leaseDuration ?? 0,
    workerName: request?.workerName ?? '',
    token: request?.token ?? leaseTokenOf(call),
    mark: markOf(call),
    limiter: limiterText(request?.limiter),
  };
}

/** Number and window, or nothing for none. */
function limiterText(limiter: RateLimit | undefined): string {
  return limiter === undefined ? '' : `${limiter.max}:${limiter.duration}`;
}

/** Stands between fields and records. Nobody who writes names or reasons of jobs knows the caller. */
function markOf({ caller }: MutatingCall): string {
  return `\0${caller.slice(0, 12)}`;
}

/** By the numbers of lua/includes/claim.lua. */
const IDLE_REASONS: readonly (ClaimIdle['reason'] | null)[] = [null, 'empty', 'paused', 'blocked', 'limited'];

/**
 * What a command that claims was answered.
 *
 * @internal
 */
export interface ClaimReply {
  /** The call ran just now, rather than before: then the records are as they were before it. */
  readonly isFirst: boolean;
  /** The time, then whatever the command answers. */
  readonly numbers: readonly number[];
  readonly ids: readonly string[];
  /** A JSON list of the rows of jobs, in the order of the ids; empty for none. */
  readonly records: string;
}

/**
 * Reads the texts that a command which claims answers, see lua/includes/records.lua.
 *
 * @throws StaleCallError or CallExpiredError when it must not run
 *
 * @internal
 */
export function acceptClaimReply(reply: unknown, call: MutatingCall): ClaimReply {
  const [head, ids = '', records = ''] = reply as readonly [string | number, string?, string?];
  if (typeof head === 'number') {
    acceptReply(reply, call);
  }
  const [status, ...numbers] = String(head).split(' ').map(Number);
  return { isFirst: status === RAN, numbers, ids: ids === '' ? [] : ids.split(markOf(call)), records };
}

/**
 * The claim of a reply.
 *
 * @param idle - the number of the reason for which there are no more jobs
 * @param dueIn - milliseconds until the next delayed job is due, less than 0 for none
 *
 * @internal
 */
export function toClaim(
  reply: ClaimReply,
  idle: number,
  dueIn: number,
  { workerName, token }: Pick<ClaimRequest, 'workerName' | 'token'>,
  call: MutatingCall,
): Claim {
  const { jobs, iterations } = readRecords(reply);
  if (reply.isFirst) {
    for (const job of jobs) {
      job.processedOn = reply.numbers[0]!;
      job.attemptsStarted += 1;
      job.processedBy = workerName ?? job.processedBy;
    }
  }
  const reason = IDLE_REASONS[idle]!;
  return {
    jobs,
    token: token ?? leaseTokenOf(call),
    iterations,
    idle: reason === null ? null : { reason, dueIn: dueIn < 0 ? null : dueIn },
  };
}

function readRecords({ ids, records }: ClaimReply): Pick<Claim, 'jobs' | 'iterations'> {
  const jobs: JobRecord[] = [];
  const iterations: PatternIteration[] = [];
  if (ids.length === 0) {
    return { jobs, iterations };
  }
  const rows = JSON.parse(records) as string[][];
  ids.forEach((id, place) => {
    const row = rows[place]!;
    jobs.push(toJobRecord(id, 'active', row));
    if (row[row.length - PATTERN_ITEMS] === 'ln:pattern') {
      iterations.push(toIteration(id, row.slice(-PATTERN_ITEMS)));
    }
  });
  return { jobs, iterations };
}

/** Items at the end of the record of an iteration whose successor is to be planned. */
const PATTERN_ITEMS = 8;

/** @param items - as tellPattern of lua/includes/schedulers.lua writes them */
function toIteration(id: string, items: readonly string[]): PatternIteration {
  const [, pattern, , after, , tz, , start] = items;
  return {
    id,
    pattern: pattern!,
    after: Number(after),
    tz: tz === '' ? null : tz!,
    startDate: start === '' ? null : Number(start),
  };
}

/**
 * Refusals, one per item.
 *
 * @internal
 */
export function toRefusals(refusals: unknown): (Refusal | null)[] {
  return (refusals as readonly number[]).map((refusal) => (refusal === 0 ? null : refusal));
}

/** By the numbers of lua/commands/cancel-jobs.lua. */
const CANCEL_ANSWERS: readonly (CancelAnswer | null)[] = [null, 'ended', 'requested', 'unreachable'];

/**
 * What became of cancels, one per item.
 *
 * @internal
 */
export function toCancelAnswers(answers: unknown): (CancelAnswer | null)[] {
  return (answers as readonly number[]).map((answer) => CANCEL_ANSWERS[answer]!);
}

/**
 * What a renewal tells of jobs that were cancelled: an id, a token and a reason for each.
 *
 * @internal
 */
export function toNotices(texts: unknown): CancelNotice[] {
  const notices: CancelNotice[] = [];
  const all = texts as readonly string[];
  for (let at = 0; at < all.length; at += 3) {
    notices.push({ id: all[at]!, token: all[at + 1]!, reason: all[at + 2]! });
  }
  return notices;
}

/**
 * Refusals of a settlement, which tells the number of outcomes, and then only of those that were refused: the place,
 * from 1, and why.
 *
 * @internal
 */
export function toOutcomeRefusals(numbers: readonly number[]): (Refusal | null)[] {
  const [outcomes, ...pairs] = numbers;
  const perOutcome = new Array<Refusal | null>(outcomes!).fill(null);
  for (let at = 0; at < pairs.length; at += 2) {
    perOutcome[pairs[at]! - 1] = pairs[at + 1]!;
  }
  return perOutcome;
}

/** @internal */
export type OutcomeArguments = Pick<SettleJobsHead, 'kind' | 'outcomeToken' | 'terms'>;

/**
 * What the first outcome tells for all those that are of its kind, of the same claim, and on the same terms.
 *
 * @internal
 */
export function outcomeArguments(outcome: Outcome | undefined): OutcomeArguments {
  return outcome === undefined
    ? { kind: '', outcomeToken: '', terms: '' }
    : { kind: outcome.kind, outcomeToken: outcome.token, terms: termsText(outcome) };
}

/** @internal */
export function toSettleItem(outcome: Outcome, common: OutcomeArguments): SettleJobsItem {
  const { kind, id, token } = outcome;
  const terms = termsText(outcome);
  const isCommon = terms === common.terms && kind === common.kind && token === common.outcomeToken;
  // Tokens are anything, so their length tells where they end.
  const own = isCommon ? '' : `${kind} ${Buffer.byteLength(token)} ${token}${terms}`;
  return { id, text: outcomeText(outcome), own };
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'completed':
      return outcome.returnValue;
    case 'failed':
    case 'retry': {
      const { stacktrace, reason } = outcome;
      return `${Buffer.byteLength(stacktrace)} ${stacktrace}${reason}`;
    }
    case 'delayed':
    case 'handed-back':
      return '';
  }
}

function termsText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'completed':
      return retentionTerms(outcome.retention);
    case 'failed':
      return `${retentionTerms(outcome.retention)}:${outcome.attempts}:${outcome.code ?? ''}`;
    case 'retry':
      return `${outcome.delay}:${outcome.lifo ? 1 : 0}`;
    case 'delayed':
      return outcome.unhandled === undefined
        ? String(outcome.until)
        : `${outcome.until}:${outcome.unhandled}`;
    case 'handed-back':
      return outcome.isLimited === true ? 'limited' : '';
  }
}

function retentionTerms({ count, age, limit }: Retention): string {
  return `${count}:${age ?? ''}:${limit}`;
}
