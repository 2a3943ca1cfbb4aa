import { InvalidDurationError } from './errors/invalid-duration.error';

/**
 * A length of time as a text: a number and a unit, such as `250ms`, `30s`, `5m`, `1.5h`, `2d`.
 *
 * @public
 */
export type DurationText = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/**
 * A length of time: a bare number has the unit that the option names (milliseconds unless it says otherwise), a
 * text carries its own.
 *
 * @public
 */
export type Duration = number | DurationText;

/**
 * Longest delay in milliseconds, a hundred years: due times stay exact in the packed scores of the storage protocol
 * (section 3.1).
 *
 * @internal
 */
export const LONGEST_DELAY = 100 * 365 * 86_400_000;

const UNIT_MILLIS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DURATION_TEXT = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/**
 * Reads a duration text.
 *
 * @returns milliseconds, or `undefined` when the text is not a duration
 *
 * @internal
 */
export function durationTextToMillis(text: string): number | undefined {
  const match = DURATION_TEXT.exec(text);
  if (match === null) {
    return undefined;
  }
  // Multiplying by a unit leaves traces of binary fractions: 4.03s is not 4030.0000000000005 ms.
  return Math.round(Number(match[1]) * UNIT_MILLIS[match[2]!]! * 1_000) / 1_000;
}

/**
 * Reads a duration whose bare numbers are milliseconds.
 *
 * @param option - name of the option, for the error
 * @returns milliseconds, at least 0
 * @throws InvalidDurationError when the value is negative, not finite, or a text of another form
 *
 * @internal
 */
export function durationToMillis(option: string, value: unknown): number {
  const millis = typeof value === 'string' ? durationTextToMillis(value) : value;
  if (typeof millis !== 'number' || !Number.isFinite(millis) || millis < 0) {
    throw new InvalidDurationError(
      option,
      value,
      'a number of milliseconds of at least 0, or a text such as "250ms", "30s", "5m", "2h" or "1d"',
      'Correct the value.',
    );
  }
  return millis;
}
