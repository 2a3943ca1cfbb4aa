import { refuseUnknownOptions } from '../model/option-names';
import { LaneTestingError } from './errors/lane-testing.error';
import { realTime } from './turns';

/**
 * When jobs run in a test: `manual`, when the test says so; `inline`, as soon as they are added, and `add` waits for them;
 * `auto`, in the background, as in production.
 *
 * @public
 */
export type LaneTestingMode = 'manual' | 'inline' | 'auto';

/**
 * Options of the test kit.
 *
 * @public
 */
export interface LaneTestingOptions {
  /**
   * - `manual` (default): nothing runs until `runUntilIdle()` or `runOne()` is called
   * - `inline`: `add` and `addBulk` resolve when everything that can run has run to its end, in order: the jobs, and what
   *   their handlers add. A handler that fails does not make `add` reject; look at `outcomes()`. Jobs with a delay stay
   *   until the clock is moved. An add inside a handler resolves at once, since its job runs after the handler's.
   * - `auto`: workers run by themselves, and the clock with the machine's
   */
  mode?: LaneTestingMode;
  /** The time at which the clock begins, as a date or in milliseconds since 1970. Default: now. */
  now?: Date | number;
}

const OPTION_NAMES: readonly (keyof LaneTestingOptions)[] = ['mode', 'now'];
const MODES: readonly LaneTestingMode[] = ['manual', 'inline', 'auto'];

/**
 * @throws UnknownOptionError or LaneTestingError
 *
 * @internal
 */
export function resolveTestingOptions(options: LaneTestingOptions): { mode: LaneTestingMode; now: number } {
  refuseUnknownOptions('the test kit', options, OPTION_NAMES);
  const { mode = 'manual', now = realTime() } = options;
  if (!MODES.includes(mode)) {
    throw new LaneTestingError(
      `There is no mode ${JSON.stringify(mode)}.`,
      `Give one of ${MODES.join(', ')}.`,
    );
  }
  if (!Number.isFinite(Number(now))) {
    throw new LaneTestingError('Option "now" is no time.', 'Give a date, or milliseconds since 1970.');
  }
  return { mode, now: Number(now) };
}
