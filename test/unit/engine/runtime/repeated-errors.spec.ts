import { describe, expect, it } from '@jest/globals';

import { RepeatedErrors } from '../../../../lib/engine/runtime/repeated-errors';
import { ConnectionLostError } from '../../../../lib/model/errors/connection-lost.error';
import { StoreFullError } from '../../../../lib/model/errors/store-full.error';
import { ManualClock } from '../../../support/manual-clock';

function setUp() {
  const clock = new ManualClock();
  const reported: string[] = [];
  const errors = new RepeatedErrors(clock, (error) => reported.push(String(error.cause)));
  const take = (cause: string) => errors.take(new ConnectionLostError('The store', false, { cause }));
  const takeFull = (cause: string) => errors.take(new StoreFullError('The store', { cause }));
  return { clock, reported, take, takeFull };
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

  it('counts each kind of error by itself', async () => {
    const { clock, reported, take, takeFull } = setUp();
    take('lost');
    await clock.advance(30_000);
    takeFull('full');
    take('lost again');
    takeFull('full again');
    await clock.advance(30_000);
    takeFull('still full');
    take('still lost');
    expect(reported).toEqual(['lost', 'full', 'still lost']);
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
