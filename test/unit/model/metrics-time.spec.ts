import { describe, expect, it } from '@jest/globals';
import { MetricsTime as FIVE } from 'bullmq-5';
import { MetricsTime as SIX } from 'bullmq-6';

import { MetricsTime } from '../../../lib/model/metrics-time';

describe('MetricsTime', () => {
  it.each([
    [5, FIVE],
    [6, SIX],
  ])('has the names and minutes of BullMQ %i', (_major, theirs) => {
    const named = Object.entries(theirs).filter(([, minutes]) => typeof minutes === 'number');
    expect(MetricsTime).toEqual(Object.fromEntries(named));
  });
});
