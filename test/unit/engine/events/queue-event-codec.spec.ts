import { describe, expect, it } from '@jest/globals';

import type { StoredEvent } from '../../../../lib/contract/event-log';
import { decodeEvent } from '../../../../lib/engine/events/queue-event-codec';

const FALSY = [0, false, '', null, [], {}];

describe('decodeEvent', () => {
  it.each<[StoredEvent, object]>([
    [
      { id: '1-0', event: 'added', jobId: 'a', name: 'send' },
      { type: 'added', id: '1-0', jobId: 'a', name: 'send' },
    ],
    [
      { id: '1-1', event: 'waiting', jobId: 'a' },
      { type: 'waiting', id: '1-1', jobId: 'a' },
    ],
    [
      { id: '1-2', event: 'active', jobId: 'a', prev: 'waiting' },
      { type: 'active', id: '1-2', jobId: 'a', prev: 'waiting' },
    ],
    [{ id: '1-3', event: 'delayed', jobId: 'a', delay: 1_700_000_000_000 }, { delay: 1_700_000_000_000 }],
    [
      { id: '1-4', event: 'failed', jobId: 'a', failedReason: '{"not":"parsed"}', prev: 'active' },
      { type: 'failed', id: '1-4', jobId: 'a', failedReason: '{"not":"parsed"}', prev: 'active' },
    ],
    [
      { id: '1-5', event: 'retries-exhausted', jobId: 'a', attemptsMade: '3' },
      { type: 'retries-exhausted', id: '1-5', jobId: 'a', attemptsMade: '3' },
    ],
    [
      { id: '1-6', event: 'drained' },
      { type: 'drained', id: '1-6' },
    ],
  ])('tells the kind by type and keeps the other fields: %p', (stored, event) => {
    const before = { ...stored };
    expect(decodeEvent(stored)).toMatchObject(event);
    expect(Object.keys(decodeEvent(stored)).sort()).toEqual(
      Object.keys(stored)
        .map((key) => (key === 'event' ? 'type' : key))
        .sort(),
    );
    expect(stored).toStrictEqual(before);
  });

  it.each([...FALSY, 'text', 12.5, { a: [1, { b: null }] }])('T-B57 parses the result %p', (returnvalue) => {
    const stored: StoredEvent = {
      id: '1-0',
      event: 'completed',
      jobId: 'a',
      returnvalue: JSON.stringify(returnvalue),
      prev: 'active',
    };
    expect(decodeEvent(stored)).toStrictEqual({
      type: 'completed',
      id: '1-0',
      jobId: 'a',
      returnvalue,
      prev: 'active',
    });
  });

  it.each([...FALSY, 42, { percent: 50 }])('T-B57 parses the progress %p', (data) => {
    const stored: StoredEvent = { id: '1-0', event: 'progress', jobId: 'a', data: JSON.stringify(data) };
    expect(decodeEvent(stored)).toStrictEqual({ type: 'progress', id: '1-0', jobId: 'a', data });
  });

  it.each(['', 'plain text', '{"cut off', 'undefined', 'NaN', "{'a':1}"])(
    'passes on what is not JSON, which only others can have written: %p',
    (text) => {
      expect(decodeEvent({ id: '1-0', event: 'completed', jobId: 'a', returnvalue: text })).toMatchObject({
        returnvalue: text,
      });
      expect(decodeEvent({ id: '1-0', event: 'progress', jobId: 'a', data: text })).toMatchObject({
        data: text,
      });
    },
  );

  it('gives undefined for a field that is missing', () => {
    expect(decodeEvent({ id: '1-0', event: 'completed', jobId: 'a' })).toMatchObject({
      returnvalue: undefined,
    });
    expect(decodeEvent({ id: '1-0', event: 'progress', jobId: 'a' })).toMatchObject({ data: undefined });
  });

  it('is not led astray by keys that every object has', () => {
    const event = decodeEvent({
      id: '1-0',
      event: 'completed',
      jobId: '__proto__',
      returnvalue: '{ "__proto__": { "polluted": true } }',
    });
    expect(event).toMatchObject({ jobId: '__proto__' });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
