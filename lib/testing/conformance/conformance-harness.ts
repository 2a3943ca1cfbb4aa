import type { BackendCapabilities } from '../../contract/backend-capabilities';
import type { Clock } from '../../contract/clock';
import type { LaneBackend } from '../../contract/queue-backend';

/**
 * How the cases get at a kind of backend. Each case gets a store of its own, which is empty, and a clock that it
 * moves.
 *
 * @public
 */
export interface ConformanceHarness {
  /** Name in reports. */
  readonly name: string;
  /** The `kind` of its backends. Default: the name, which is another one where a kind runs in several ways. */
  readonly kind?: string;
  readonly capabilities: BackendCapabilities;
  /** Makes a new store. */
  start(): Promise<BackendUnderTest>;
}

/**
 * A store for one case.
 *
 * @public
 */
export interface BackendUnderTest {
  readonly backend: LaneBackend;
  /** The time of the store. It stands still but for `advance`; engine objects are given it too. */
  readonly clock: Clock;
  /** Lets time pass: timers fire on the way, leases end, jobs come due. */
  advance(millis: number): Promise<void>;
  /** How many timers are set. Left out where that cannot be told. */
  openTimers?(): number;
  /** Removes the store. Called once, after all handles were closed. */
  stop(): Promise<void>;
}
