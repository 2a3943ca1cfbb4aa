import type { PatternIteration } from '../../contract/iteration-planning';
import type { Claim, ClaimRequest, Outcome, SettleJobsReply } from '../../contract/job-handover';
import type { CancelNotice } from '../../contract/job-cancelling';
import { MAX_BATCH, MAX_BATCH_SIZE } from '../../contract/mutating-call';
import type { Refusal } from '../../contract/refusal';
import type { JobRecord } from '../../model/job-record';
import type { ResolvedWorkerOptions } from '../../model/worker-options';
import type { CallChannel, CallTerms } from '../runtime/call-channel';
import type { OpenConnection } from '../runtime/queue-connection';
import { Service } from '../runtime/service';
import type { Clock } from '../../contract/clock';
import { WorkWait } from './work-wait';
import { nextTurn } from '../runtime/next-turn';

/**
 * A job as it came with a claim.
 *
 * @internal
 */
export interface ClaimedJob {
  readonly record: JobRecord;
  readonly token: string;
  /** What has to be planned before the job runs. */
  readonly iteration: PatternIteration | undefined;
}

/**
 * What a claim loop asks of the worker, and tells it.
 *
 * @internal
 */
export interface ClaimLoopHost<Finished extends { readonly outcome: Outcome }> {
  /**
   * Runs a claimed job; `ended` is called once, when its slot is free and its outcome, if it has one, is to be written.
   */
  run(claimed: ClaimedJob, ended: (finished: Finished | undefined) => void): void;
  /** A claimed job that will not be run: the loop was told to stop claiming meanwhile. */
  decline(record: JobRecord, token: string): Finished;
  /**
   * The store has answered an outcome; `now` is its time.
   *
   * @returns the outcome to write instead, where one was refused that another can stand for
   */
  settled(finished: Finished, refusal: Refusal | null, now: number): Finished | Promise<Finished> | undefined;
  /** A claim found nothing (more) to run. */
  drained(): void;
  /** A job that this loop has claimed was cancelled; its claim may be on its way still. */
  onCancel(notice: CancelNotice): void;
  onError(error: unknown): void;
}

/** What a handover brings, whether it settles, claims, or both. */
type HandoverReply = Omit<SettleJobsReply, 'refusals'> & { readonly refusals: readonly (Refusal | null)[] };

/**
 * Hands outcomes to the store and takes jobs from it, in batches.
 *
 * There are two calls in flight at most, each for half of the free slots, so that the store works on one batch
 * while this process works on the other. A call carries every outcome that came up since the last one: the loop
 * gathers them until the end of the event loop's turn, in which handlers that end together do so.
 *
 * When a claim comes back short, the loop asks no more until the store signals work. When a rate limit held jobs back,
 * it waits for the end of that limit, and leaves the signals for work to others; outcomes go out all the same. A loop that
 * waits for neither listens, while handlers run, for news of jobs that are cancelled.
 *
 * @internal
 */
export class ClaimLoop<Finished extends { readonly outcome: Outcome }> extends Service {
  readonly #stopped = new AbortController();
  readonly #terms: CallTerms;
  #channels: CallChannel[];
  #finished: Finished[] = [];
  /** What goes back to the queue unfinished, each with its place among all that this loop claimed. */
  #handedBack: { readonly finished: Finished; readonly place: number }[] = [];
  #handovers = 0;
  /** Calls on their way that carry outcomes. */
  #settling = 0;
  /** Claims on their way that the store has not carried out so far. */
  #failingClaims = 0;
  #running = 0;
  #asked = 0;
  #isClaiming = true;
  #mayBeWork = true;
  /** Calls on their way whose claims tell whether jobs that they take back have met a rate limit. */
  #asksForLimit = 0;
  /** How often there was a reason to think so besides what claims said. */
  #wakeUps = 0;
  #isDrained = true;
  #nextDueIn: number | null = null;
  /** When it last heard of the queue, or began to ask. */
  #heardAt = 0;
  #isScheduled = false;
  #cancelRetry: (() => void) | undefined;
  readonly #wait: WorkWait;
  readonly #quietListeners = new Set<{ isDone: () => boolean; resolve: () => void }>();

  constructor(
    private readonly connection: OpenConnection,
    private readonly clock: Clock,
    private readonly options: ResolvedWorkerOptions,
    private readonly host: ClaimLoopHost<Finished>,
  ) {
    super();
    this.#channels = [...connection.work];
    this.#wait = new WorkWait(connection.backend, clock, options, {
      onEnd: () => {
        this.#heard();
        this.#wakeUp();
      },
      onListened: () => {
        this.#heard();
        this.#schedule();
      },
      onCancel: (notice) => host.onCancel(notice),
      onError: (error) => host.onError(error),
    });
    this.#terms = {
      name: 'settleJobs',
      validFor: options.lockDuration,
      reissue: 'until-stopped',
      longestPause: options.runRetryDelay,
      signal: this.#stopped.signal,
    };
  }

  /** Takes jobs again after `stopClaiming`. */
  claim(): void {
    this.#isClaiming = true;
    this.#heard();
    this.#wakeUp();
    this.#releaseHandedBack();
    this.#tellQuiet();
  }

  /** Takes no more jobs; those that are on their way are handed back. */
  stopClaiming(): void {
    this.#isClaiming = false;
    this.#wait.end();
  }

  /** Goes by a number of slots that has changed: claims for new ones at once, and takes no wake-ups without any. */
  adjust(): void {
    if (this.#hasRoom) {
      this.#wakeUp();
    } else {
      this.#wait.end();
    }
  }

  /** Resolves once no handler runs after `stopClaiming`. A job that is on its way then will not be run. */
  handlersEnded(): Promise<void> {
    return this.#when(() => this.#running === 0);
  }

  /**
   * Resolves once, besides, no job is on its way and every outcome is written; or once jobs are taken again, or the
   * loop is stopped: nobody can wait for that any more. A claim that only fails brings no jobs, so it is not waited for.
   */
  outcomesWritten(): Promise<void> {
    return this.#when(
      () => this.#isClaiming || (this.holdsNothing() && this.#busyChannels === this.#failingClaims),
    );
  }

  /** Whether no handler runs and no outcome is to be written: at most, claims are on their way. */
  holdsNothing(): boolean {
    return (
      this.#running === 0 &&
      this.#finished.length === 0 &&
      this.#handedBack.length === 0 &&
      this.#settling === 0
    );
  }

  /** Milliseconds since it last heard of the queue; `null` where it has nothing to ask. */
  get silentFor(): number | null {
    const asks = this.isStarted && (this.#isClaiming || !this.holdsNothing());
    return asks ? Math.max(0, this.clock.now() - this.#heardAt) : null;
  }

  protected onStart(): void {
    this.#heard();
    this.#schedule();
  }

  protected onStop(): Promise<void> {
    this.#stopped.abort();
    this.#wait.stop();
    this.#cancelRetry?.();
    this.#tellQuiet();
    return Promise.resolve();
  }

  #heard(): void {
    this.#heardAt = this.clock.now();
  }

  #wakeUp(): void {
    this.#mayBeWork = true;
    this.#wakeUps += 1;
    this.#schedule();
  }

  get #busyChannels(): number {
    return this.connection.work.length - this.#channels.length;
  }

  #schedule(): void {
    if (!this.#isScheduled && this.isStarted) {
      this.#isScheduled = true;
      nextTurn(() => this.#turn());
    }
  }

  #turn(): void {
    this.#isScheduled = false;
    if (!this.isStarted || this.#cancelRetry !== undefined) {
      return;
    }
    while (this.#channels.length > 0) {
      const share = this.#channels.length > 1 ? 2 : 1;
      const count = this.#wanted(share);
      if (count === 0 && this.#finished.length === 0) {
        break;
      }
      const batch = this.#takeFinished(Math.ceil(this.#finished.length / share));
      void this.#handover(this.#channels.pop()!, batch, count);
    }
    this.#waitForWork();
  }

  /** Slots to ask for, when this call is one of `share` that go out now. */
  #wanted(share: number): number {
    if (!this.#isClaiming || !this.#mayBeWork || this.#wait.isLimited || this.#asksForLimit > 0) {
      return 0;
    }
    const free = this.options.concurrency - this.#running - this.#asked;
    return free <= 0 ? 0 : Math.min(MAX_BATCH, Math.ceil(free / share));
  }

  #takeFinished(most: number): Finished[] {
    let count = 0;
    let size = 0;
    while (count < Math.min(most, MAX_BATCH)) {
      size += sizeOf(this.#finished[count]!.outcome);
      if (count > 0 && size > MAX_BATCH_SIZE) {
        break;
      }
      count += 1;
    }
    return this.#finished.splice(0, count);
  }

  async #handover(channel: CallChannel, batch: Finished[], count: number): Promise<void> {
    this.#handovers += 1;
    const firstPlace = this.#handovers * MAX_BATCH;
    const wakeUps = this.#wakeUps;
    const { lifts } = this.#wait;
    this.#asked += count;
    let isFailingClaim = false;
    const onStoreError = (error: Error): void => {
      this.#heard();
      if (batch.length === 0 && !isFailingClaim) {
        isFailingClaim = true;
        this.#failingClaims += 1;
        this.#tellQuiet();
      }
      this.host.onError(error);
    };
    const terms = { ...this.#terms, onStoreError };
    this.#settling += batch.length === 0 ? 0 : 1;
    const asksForLimit = batch.some(({ outcome }) => hasMetLimit(outcome)) ? 1 : 0;
    this.#asksForLimit += asksForLimit;
    let reply: HandoverReply | undefined;
    try {
      reply = await this.#call(channel, terms, batch, count === 0 ? null : this.#claimOf(count));
    } catch (error) {
      this.#finished.unshift(...batch);
      if (!this.#stopped.signal.aborted) {
        this.host.onError(error);
        this.#retryLater();
      }
    }
    this.#heard();
    this.#asked -= count;
    this.#settling -= batch.length === 0 ? 0 : 1;
    this.#asksForLimit -= asksForLimit;
    this.#failingClaims -= isFailingClaim ? 1 : 0;
    this.#channels.push(channel);
    if (reply !== undefined) {
      const { claim, refusals, now } = reply;
      if (claim !== null) {
        this.#accept(claim, firstPlace, this.#wakeUps !== wakeUps, this.#wait.lifts !== lifts);
      }
      batch.forEach((finished, index) => {
        const instead = this.host.settled(finished, refusals[index]!, now);
        if (instead instanceof Promise) {
          this.#await(instead);
        } else if (instead !== undefined) {
          this.#finished.push(instead);
        }
      });
    }
    this.#releaseHandedBack();
    this.#schedule();
    this.#tellQuiet();
  }

  #call(
    channel: CallChannel,
    terms: CallTerms,
    batch: readonly Finished[],
    claim: ClaimRequest | null,
  ): Promise<HandoverReply> {
    const { backend } = this.connection;
    if (batch.length === 0) {
      return channel.call(terms, async (call) => ({
        ...(await backend.claimJobs(claim!, call)),
        refusals: [],
      }));
    }
    const outcomes = batch.map((finished) => finished.outcome);
    const { maxDataPoints } = this.options;
    return channel.call(terms, (call) => backend.settleJobs({ outcomes, claim, maxDataPoints }, call));
  }

  #claimOf(count: number): ClaimRequest {
    const { lockDuration, name, limiter } = this.options;
    return {
      count,
      leaseDuration: lockDuration,
      workerName: name,
      ...(limiter !== undefined && { limiter }),
    };
  }

  /**
   * @param firstPlace - of the first job, among all that this loop claimed
   * @param isOutdated - it was asked for before a wake-up, so that it may have looked before there was work
   * @param isLifted - it was asked for before a limit was lifted
   */
  #accept(claim: Claim, firstPlace: number, isOutdated: boolean, isLifted: boolean): void {
    const isLimited = claim.idle?.reason === 'limited';
    this.#mayBeWork = claim.idle === null || isLimited || isOutdated;
    this.#nextDueIn = claim.idle?.dueIn ?? null;
    if (isLimited && !isLifted) {
      this.#wait.limitFor(this.#nextDueIn ?? 0);
    }
    claim.jobs.forEach((record, index) => {
      const place = firstPlace + index;
      if (this.#isClaiming) {
        this.#isDrained = false;
        const iteration = claim.iterations.find(({ id }) => id === record.id);
        this.#run({ record, token: claim.token, iteration }, place);
      } else {
        this.#keep(this.host.decline(record, claim.token), place);
      }
    });
    if (claim.jobs.length === 0 && claim.idle?.reason === 'empty' && !this.#isDrained) {
      this.#isDrained = true;
      this.host.drained();
    }
  }

  #run(claimed: ClaimedJob, place: number): void {
    this.#running += 1;
    this.host.run(claimed, (finished) => {
      this.#running -= 1;
      if (finished !== undefined) {
        this.#keep(finished, place);
      }
      this.#releaseHandedBack();
      this.#schedule();
      this.#tellQuiet();
    });
  }

  /** The job keeps its slot until its outcome is known. */
  #await(outcome: Promise<Finished>): void {
    this.#running += 1;
    void outcome.then((finished) => {
      this.#running -= 1;
      this.#finished.push(finished);
      this.#schedule();
      this.#tellQuiet();
    });
  }

  #keep(finished: Finished, place: number): void {
    // The job itself is work, and only a claim tells how long the limit lasts.
    this.#mayBeWork ||= hasMetLimit(finished.outcome);
    if (finished.outcome.kind === 'handed-back') {
      this.#handedBack.push({ finished, place });
    } else {
      this.#finished.push(finished);
    }
  }

  /**
   * Lets the jobs that are handed back go. Each goes to the very front of the queue, so the one that was claimed
   * first has to come last: while the loop empties its hands, all wait for the one that ends last.
   */
  #releaseHandedBack(): void {
    const mayBeMore = !this.#isClaiming && (this.#running > 0 || this.#asked > 0);
    if (mayBeMore || this.#handedBack.length === 0) {
      return;
    }
    const latestFirst = this.#handedBack.sort((left, right) => right.place - left.place);
    this.#finished.push(...latestFirst.map(({ finished }) => finished));
    this.#handedBack = [];
  }

  #retryLater(): void {
    this.#cancelRetry ??= this.clock.setTimer(this.options.runRetryDelay, () => {
      this.#cancelRetry = undefined;
      this.#schedule();
    });
  }

  get #hasRoom(): boolean {
    return this.#running + this.#asked < this.options.concurrency;
  }

  #waitForWork(): void {
    const isNeedless = (this.#mayBeWork && !this.#wait.isLimited) || this.#asksForLimit > 0;
    if (this.#isClaiming && !isNeedless && this.#hasRoom) {
      this.#wait.begin(this.#nextDueIn);
    } else if (this.#running > 0) {
      this.#wait.listen();
    }
  }

  #when(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#quietListeners.add({ isDone, resolve });
      this.#tellQuiet();
    });
  }

  #tellQuiet(): void {
    for (const listener of this.#quietListeners) {
      if (this.#stopped.signal.aborted || listener.isDone()) {
        this.#quietListeners.delete(listener);
        listener.resolve();
      }
    }
  }
}

function hasMetLimit(outcome: Outcome): boolean {
  return outcome.kind === 'handed-back' && outcome.isLimited === true;
}

function sizeOf(outcome: Outcome): number {
  switch (outcome.kind) {
    case 'completed':
      return outcome.returnValue.length;
    case 'failed':
    case 'retry':
      return outcome.reason.length + outcome.stacktrace.length;
    case 'delayed':
    case 'handed-back':
      return 0;
  }
}
