import { describe, expect, it } from '@jest/globals';

import { exhaustedHook } from '../../../lib/nest/listeners/exhausted-jobs';
import type { Heard, ListenerRunner } from '../../../lib/nest/listeners/listener.runner';
import type { PlannedExhausted } from '../../../lib/nest/planning/processor-check';
import { ManualClock } from '../../support/manual-clock';

class RecordingClock extends ManualClock {
  readonly keptAlive: (boolean | undefined)[] = [];

  override setTimer(millis: number, callback: () => void, keepAlive?: boolean): () => void {
    this.keptAlive.push(keepAlive);
    return super.setTimer(millis, callback);
  }
}

describe('the wait for @OnJobExhausted', () => {
  it('NA-4-24 keeps nothing alive, and leaves no timer behind', async () => {
    const clock = new RecordingClock();
    let end = (): void => undefined;
    const runner = {
      run: () => new Promise<void>((resolve) => (end = resolve)),
    } as unknown as ListenerRunner;
    const method = { name: undefined } as PlannedExhausted;
    const hook = exhaustedHook([method], { queue: 'email', connection: 'default' }, runner, clock)!;

    const waited = hook({ job: { name: 'send' } } as never, new Error('broken'));
    expect([clock.pendingTimers, clock.keptAlive]).toEqual([1, [false]]);
    end();
    await waited;

    expect(clock.pendingTimers).toBe(0);
  });

  it('NA-4-24 ends after 5 seconds, and not before, with a failure of the listener', async () => {
    const clock = new ManualClock();
    const failures: string[] = [];
    const runner = {
      run: () => new Promise<void>(() => undefined),
      failed: (_: unknown, { event }: Heard, { message }: Error) => failures.push(`${event}: ${message}`),
    } as unknown as ListenerRunner;
    const method = { name: undefined } as PlannedExhausted;
    const hook = exhaustedHook([method], { queue: 'email', connection: 'default' }, runner, clock)!;
    let isOver = false;

    const waited = hook({ job: { name: 'send' } } as never, new Error('broken'))!.then(() => (isOver = true));
    await clock.advance(4_999);
    expect([isOver, failures]).toEqual([false, []]);
    await clock.advance(1);
    await waited;

    expect(failures).toEqual(['exhausted: it takes longer than 5 s, and is not waited for any more']);
  });
});
