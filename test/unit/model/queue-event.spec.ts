import { describe, expect, it } from '@jest/globals';

import { QUEUE_EVENT_NAMES, type QueueEventName } from '../../../lib/model/queue-event';

/** The compiler holds this to one entry per event, so the list cannot forget one. */
const EVERY_NAME: Record<QueueEventName, true> = {
  added: true,
  waiting: true,
  active: true,
  delayed: true,
  progress: true,
  completed: true,
  failed: true,
  'retries-exhausted': true,
  stalled: true,
  duplicated: true,
  'waiting-children': true,
  removed: true,
  cleaned: true,
  deduplicated: true,
  debounced: true,
  drained: true,
  paused: true,
  resumed: true,
};

describe('QUEUE_EVENT_NAMES', () => {
  it('lists every event once', () => {
    expect([...QUEUE_EVENT_NAMES].sort()).toEqual(Object.keys(EVERY_NAME).sort());
  });
});
