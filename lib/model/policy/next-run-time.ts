import { CronExpressionParser } from 'cron-parser';

import { InvalidCronPatternError } from '../errors/invalid-cron-pattern.error';

/**
 * When a job scheduler with a cron pattern runs.
 *
 * @internal
 */
export interface CronTerms {
  /** Five fields, or six with the second first. */
  readonly pattern: string;
  /** Time in milliseconds after which the next run is looked for. */
  readonly after: number;
  /** Name of the time zone, or `null` for that of the process. */
  readonly tz: string | null;
  /** Looked for after this time, if it is later, or `null`. */
  readonly startDate: number | null;
}

/**
 * The next time of a cron pattern, in milliseconds. Storage protocol, section 17.8.
 *
 * @returns `null` when there is none
 * @throws InvalidCronPatternError when pattern or time zone cannot be read
 *
 * @internal
 */
export function nextRunTime({ pattern, after, tz, startDate }: CronTerms): number | null {
  const currentDate = new Date(Math.max(after, startDate ?? -Infinity));
  let expression: ReturnType<typeof CronExpressionParser.parse>;
  try {
    expression = CronExpressionParser.parse(pattern, { currentDate, ...(tz === null ? {} : { tz }) });
  } catch (error) {
    throw new InvalidCronPatternError(pattern, tz, { cause: error });
  }
  try {
    return expression.next().getTime();
  } catch {
    return null;
  }
}
