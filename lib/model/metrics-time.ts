/**
 * Numbers of minutes, for the option `metrics` of a worker: `{ maxDataPoints: MetricsTime.ONE_WEEK }`. A month has eight
 * weeks in BullMQ, and so it has here.
 *
 * @public
 */
export const MetricsTime = {
  ONE_MINUTE: 1,
  FIVE_MINUTES: 5,
  FIFTEEN_MINUTES: 15,
  THIRTY_MINUTES: 30,
  ONE_HOUR: 60,
  ONE_WEEK: 10_080,
  TWO_WEEKS: 20_160,
  ONE_MONTH: 80_640,
} as const;
