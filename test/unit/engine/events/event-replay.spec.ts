import { describe, expect, it } from '@jest/globals';
import { NEVER } from 'rxjs';

import { NO_EVENTS } from '../../../../lib/contract/event-log';
import { EventReplay, replayEvents, type ReplaySource } from '../../../../lib/engine/events/event-replay';
import { guardAgainstLeaks } from '../../../support/leak-guard';
import { ManualClock, turnOfTheEventLoop } from '../../../support/manual-clock';

guardAgainstLeaks();

describe('a replay at the end of its log', () => {
  it('can be left before the store has said from where on it tells of news', async () => {
    const source: ReplaySource = {
      queueName: 'email',
      clock: new ManualClock(),
      events$: NEVER,
      positioned: () => new Promise(() => undefined),
      read: () => Promise.resolve(NO_EVENTS),
      onError: () => undefined,
    };
    const replay = new EventReplay((signal) => replayEvents(source, { after: '0-0', strict: false }, signal));
    const events = replay[Symbol.asyncIterator]();
    const next = events.next();
    await turnOfTheEventLoop();

    await events.return!();

    expect(await next).toEqual({ done: true, value: undefined });
  });
});
