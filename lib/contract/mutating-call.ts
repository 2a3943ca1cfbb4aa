/**
 * The number under which a changing call is made, so that it can be repeated and still takes effect once.
 *
 * A channel carries one call at a time. A call with the channel's last number is answered with the stored outcome,
 * after its `notAfter` too, and changes nothing; jobs that it claimed are read again and returned only while they
 * are leased under its token. An outcome is stored for ten minutes at least, and for two of the leases it is about.
 * A lower number is refused with `StaleCallError`, a call that arrives after `notAfter` with `CallExpiredError`;
 * a higher number runs.
 *
 * @public
 */
export interface MutatingCall {
  /** The `caller` of the handle that makes the call: 32 hexadecimal digits. */
  readonly caller: string;
  /** Which of the caller's channels: one of `CHANNELS`. */
  readonly channel: string;
  /** Counts upwards in the channel, from 1. */
  readonly sequence: number;
  /** Store time in milliseconds after which the call must not take effect any more. */
  readonly notAfter: number;
}

/**
 * The channels of a caller: eight for adding, two for claiming and settling, one for everything else.
 *
 * @public
 */
export const CHANNELS = {
  add: ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'],
  work: ['w0', 'w1'],
  control: ['c0'],
} as const;

/**
 * The lease token that jobs claimed by a call carry: unique per call, so the answer to a repeated call can tell its
 * own leases from later ones.
 *
 * @public
 */
export function leaseTokenOf(call: MutatingCall): string {
  return `${call.caller}:${call.channel}:${call.sequence}`;
}

/**
 * Most jobs, outcomes or claims that one call carries.
 *
 * @public
 */
export const MAX_BATCH = 200;

/**
 * Most jobs that one call adds. Calls of more than `MAX_BATCH` keep others waiting, so they are made only where a caller
 * wants jobs to be added together or not at all.
 *
 * @public
 */
export const MAX_ADDED = 1_000;

/**
 * Most characters of job data that one call carries; a single larger job travels alone.
 *
 * @public
 */
export const MAX_BATCH_SIZE = 1_048_576;

/**
 * What every reply of a changing call holds.
 *
 * @public
 */
export interface Reply {
  /** Store time in milliseconds at which the call ran. */
  now: number;
}
