import type { Clock } from '../../contract/clock';
import type { MutatingCall, Reply } from '../../contract/mutating-call';
import type { QueueBackend } from '../../contract/queue-backend';
import { ConnectionLostError } from '../../model/errors/connection-lost.error';
import { isLaneError, isStoreError } from '../../model/errors/lane-error';
import { OutcomeUnknownError } from '../../model/errors/outcome-unknown.error';
import type { StoreError } from '../../model/errors/store.error';
import { CallEnd } from './call-end';
import type { StoreTime } from './store-time';
import { wait } from './wait';

/**
 * How long one call is repeated, and what happens then.
 *
 * @internal
 */
export interface CallTerms {
  /** Name of the call, for errors. */
  readonly name: string;
  /** Milliseconds after which a number is given up: the store refuses it from then on. */
  readonly validFor: number;
  /**
   * `once` gives up then, or when the signal is aborted, also while the store does not answer; `until-stopped` makes
   * the call again under new numbers until the signal is aborted.
   */
  readonly reissue: 'once' | 'until-stopped';
  /** Longest pause in milliseconds between two tries, which double. Default a second. */
  readonly longestPause?: number;
  /** Ends the repeating. */
  readonly signal?: AbortSignal;
  /** Told of every error of the store that is being waited out. */
  readonly onStoreError?: (error: StoreError) => void;
}

const FIRST_WAIT = 50;
const LONGEST_WAIT = 1_000;

/**
 * One channel of a caller: numbers its calls, makes one at a time, and repeats a call whose reply was lost under
 * the same number, so that it takes effect once.
 *
 * Whoever uses a channel awaits each call before the next one; `ChannelPool` does so for several users.
 *
 * @internal
 */
export class CallChannel {
  #sequence = 0;

  constructor(
    private readonly backend: QueueBackend,
    private readonly channel: string,
    private readonly time: StoreTime,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a call.
   *
   * @param send - makes the call under the given number; is called again, with the same number, after a lost reply
   * @param askedAt - time at which the call was asked for, from which it may be repeated for `validFor`
   * @throws OutcomeUnknownError when no reply came and the call may have run
   * @throws StoreError or CallExpiredError when it certainly did not run
   */
  async call<R extends Reply>(
    terms: CallTerms,
    send: (call: MutatingCall) => Promise<R>,
    askedAt = this.clock.now(),
  ): Promise<R> {
    if (terms.reissue === 'until-stopped') {
      return this.#repeat(terms, send, askedAt, { first: (promise) => promise });
    }
    if (this.clock.now() >= askedAt + terms.validFor) {
      throw this.noAnswer(false);
    }
    const end = new CallEnd(this.clock, askedAt + terms.validFor, terms.signal);
    try {
      return await this.#repeat(terms, send, askedAt, end);
    } finally {
      end.release();
    }
  }

  async #repeat<R extends Reply>(
    terms: CallTerms,
    send: (call: MutatingCall) => Promise<R>,
    askedAt: number,
    end: Pick<CallEnd, 'first'>,
  ): Promise<R> {
    let call: MutatingCall | undefined;
    let sentAt = askedAt;
    let mayHaveRun = false;
    let failures = 0;
    let expiries = 0;
    for (;;) {
      let isSent = false;
      try {
        if (!this.time.isKnown && (await end.first(this.time.known().then(() => ({})))) === undefined) {
          throw this.noAnswer(false);
        }
        if (call === undefined) {
          call = this.#number(terms);
          sentAt = this.clock.now();
        }
        isSent = true;
        const reply = await end.first(send(call));
        if (reply === undefined) {
          throw this.noAnswer(true);
        }
        this.time.observe(reply.now, sentAt);
        return reply;
      } catch (error) {
        let pause: number;
        if (isLaneError(error, 'LANE_CALL_EXPIRED')) {
          // It did not run and never will. It may just have been late; if not, the deadline was computed wrongly.
          this.time.forget();
          call = undefined;
          mayHaveRun = false;
          failures = 0;
          pause = expiries === 0 ? 0 : pauseAfter(expiries, terms);
          expiries += 1;
        } else if (isStoreError(error) && (error.passesSoon || terms.reissue === 'until-stopped')) {
          mayHaveRun ||= isSent && wasSent(error);
          terms.onStoreError?.(error);
          failures += 1;
          pause = pauseAfter(failures, terms);
        } else {
          throw mayHaveRun ? new OutcomeUnknownError(terms.name, { cause: error }) : error;
        }
        const timeIsUp = terms.reissue === 'once' && this.clock.now() + pause >= askedAt + terms.validFor;
        if (timeIsUp || isAborted(terms) || !(await this.#pause(pause, terms.signal))) {
          throw mayHaveRun ? new OutcomeUnknownError(terms.name, { cause: error }) : error;
        }
      }
    }
  }

  /** The error of a call that the store did not answer in time, or that was not made in time. */
  noAnswer(isSent: boolean): ConnectionLostError {
    return new ConnectionLostError(`The store of queue "${this.backend.queueName}"`, isSent);
  }

  async #pause(millis: number, signal: AbortSignal | undefined): Promise<boolean> {
    return millis === 0 || wait(this.clock, millis, signal);
  }

  #number(terms: CallTerms): MutatingCall {
    this.#sequence += 1;
    return {
      caller: this.backend.caller,
      channel: this.channel,
      sequence: this.#sequence,
      notAfter: this.time.now() + terms.validFor,
    };
  }
}

function wasSent(error: StoreError): boolean {
  return isLaneError(error, 'LANE_CONNECTION_LOST') && (error as ConnectionLostError).requestSent;
}

/** Doubles with each failure in a row. */
function pauseAfter(failures: number, { longestPause = LONGEST_WAIT }: CallTerms): number {
  return Math.min(longestPause, FIRST_WAIT * 2 ** Math.min(failures - 1, 30));
}

function isAborted(terms: CallTerms): boolean {
  return terms.signal?.aborted === true;
}

/**
 * Several channels for several users: a call takes a free one, or waits for it, first come first served.
 *
 * @internal
 */
export class ChannelPool {
  readonly #channels: readonly CallChannel[];
  readonly #free: CallChannel[];
  readonly #waiting: ((channel: CallChannel) => void)[] = [];

  constructor(
    channels: readonly CallChannel[],
    private readonly clock: Clock,
  ) {
    this.#channels = channels;
    this.#free = [...channels].reverse();
  }

  /**
   * Makes a call on a free channel, see `CallChannel.call`; the wait for a channel is part of the call's time.
   *
   * @param askedAt - time at which the call was asked for
   */
  async call<R extends Reply>(
    terms: CallTerms,
    send: (call: MutatingCall) => Promise<R>,
    askedAt = this.clock.now(),
  ): Promise<R> {
    const channel = this.#free.pop() ?? (await this.#nextFree(terms, askedAt));
    try {
      return await channel.call(terms, send, askedAt);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#free.push(channel);
      } else {
        next(channel);
      }
    }
  }

  async #nextFree(terms: CallTerms, askedAt: number): Promise<CallChannel> {
    let take: (channel: CallChannel) => void = () => undefined;
    const channel = new Promise<CallChannel>((resolve) => (take = resolve));
    this.#waiting.push(take);
    const end = new CallEnd(this.clock, askedAt + terms.validFor, terms.signal);
    const first = await end.first(channel);
    end.release();
    const place = this.#waiting.indexOf(take);
    if (first === undefined && place !== -1) {
      this.#waiting.splice(place, 1);
      throw this.#channels[0]!.noAnswer(false);
    }
    // A channel that was handed over in the very moment is taken, and passed on.
    return channel;
  }
}
