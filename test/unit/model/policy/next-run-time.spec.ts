import { describe, expect, it } from '@jest/globals';

import { InvalidCronPatternError } from '../../../../lib/model/errors/invalid-cron-pattern.error';
import { type CronTerms, nextRunTime } from '../../../../lib/model/policy/next-run-time';

const at = (text: string): number => Date.parse(text);

function next(pattern: string, after: string, terms: Partial<CronTerms> = {}): string | null {
  const time = nextRunTime({ pattern, after: at(after), tz: 'UTC', startDate: null, ...terms });
  return time === null ? null : new Date(time).toISOString();
}

describe('nextRunTime', () => {
  it.each([
    ['*/5 * * * *', '2024-01-01T00:01:30Z', '2024-01-01T00:05:00.000Z'],
    ['*/5 * * * * *', '2024-01-01T00:01:31Z', '2024-01-01T00:01:35.000Z'],
    ['0 9 * * 1-5', '2024-01-05T12:00:00Z', '2024-01-08T09:00:00.000Z'],
    ['0 0 29 2 *', '2024-03-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['@daily', '2024-01-01T00:00:00Z', '2024-01-02T00:00:00.000Z'],
  ])('of %p after %s is %s', (pattern, after, expected) => {
    expect(next(pattern, after)).toBe(expected);
  });

  it('comes after the given time, not at it', () => {
    expect(next('* * * * *', '2024-01-01T00:01:00Z')).toBe('2024-01-01T00:02:00.000Z');
    expect(next('* * * * *', '2024-01-01T00:00:59.999Z')).toBe('2024-01-01T00:01:00.000Z');
  });

  it('is that of the time zone, in summer and in winter', () => {
    const tz = 'Europe/Berlin';
    expect(next('0 9 * * *', '2024-01-01T00:00:00Z', { tz })).toBe('2024-01-01T08:00:00.000Z');
    expect(next('0 9 * * *', '2024-07-01T00:00:00Z', { tz })).toBe('2024-07-01T07:00:00.000Z');
  });

  it('is that of the process without a time zone', () => {
    const time = new Date(nextRunTime({ pattern: '30 9 * * *', after: 0, tz: null, startDate: null })!);

    expect([time.getHours(), time.getMinutes()]).toEqual([9, 30]);
  });

  it('does not come before the start', () => {
    const startDate = at('2024-06-01T12:30:00Z');
    expect(next('0 * * * *', '2024-01-01T00:00:00Z', { startDate })).toBe('2024-06-01T13:00:00.000Z');
    expect(next('0 * * * *', '2024-09-01T00:10:00Z', { startDate })).toBe('2024-09-01T01:00:00.000Z');
  });

  it('is null where time ends', () => {
    expect(nextRunTime({ pattern: '0 0 1 1 *', after: 8.64e15, tz: null, startDate: null })).toBeNull();
  });

  it.each([
    ['every day', 'UTC'],
    ['61 * * * *', 'UTC'],
    ['0 0 31 2 *', 'UTC'],
    ['* * * * *', 'Europe/Nowhere'],
  ])('of %p in %s cannot be told', (pattern, tz) => {
    let error: unknown;
    try {
      next(pattern, '2024-01-01T00:00:00Z', { tz });
    } catch (thrown) {
      error = thrown;
    }

    expect(error).toBeInstanceOf(InvalidCronPatternError);
    expect(error).toMatchObject({ pattern, tz, cause: expect.any(Error) });
  });
});
