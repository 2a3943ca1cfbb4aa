import { describe, expect, it } from '@jest/globals';

import { RepeatedErrors } from '../../../../lib/engine/runtime/repeated-errors';
import { ManualClock } from '../../../support/manual-clock';

function setUp() {
  const clock = new ManualClock();
  const reported: string[] = [];
  const errors = new RepeatedErrors(clock, (error) => reported.push(error.message));
  return { clock, reported, take: (message: string) => errors.take(new Error(message)) };
}

describe('RepeatedErrors', () => {
  it('reports the first at once and holds the others back for a minute', async () => {
    const { clock, reported, take } = setUp();
    take('first');
    take('second');
    await clock.advance(59_999);
    take('third');
    expect(reported).toEqual(['first']);
    await clock.advance(1);
    take('fourth');
    take('fifth');
    expect(reported).toEqual(['first', 'fourth']);
  });

  it('makes an outage one line a minute', async () => {
    const { clock, reported, take } = setUp();
    for (let second = 0; second < 600; second += 1) {
      take(`second ${second}`);
      await clock.advance(1_000);
    }
    expect(reported).toEqual(Array.from({ length: 10 }, (_, minute) => `second ${minute * 60}`));
  });

  it('does not fall silent when the clock is set back', () => {
    const { clock, reported, take } = setUp();
    take('first');
    clock.set(clock.now() - 3_600_000);
    take('second');
    take('third');
    expect(reported).toEqual(['first', 'second']);
  });
});
