import { describe, expect, it } from '@jest/globals';

import { ConnectionLostError } from '../../../../lib/model/errors/connection-lost.error';
import { JobFailedError } from '../../../../lib/model/errors/job-failed.error';
import { QueueClosedError } from '../../../../lib/model/errors/queue-closed.error';
import { isLaneError, isStoreError } from '../../../../lib/model/errors/lane-error';

/** As the class of another copy of the package makes it. */
class TheirError extends Error {
  readonly code = 'LANE_CONNECTION_LOST';
  readonly passesSoon = true;

  get [Symbol.for('nestjs-lane.error')](): boolean {
    return true;
  }
}

const hostile = new Proxy(new Error('hostile'), {
  get: () => {
    throw new Error('nobody looks');
  },
  getPrototypeOf: () => {
    throw new Error('nobody looks');
  },
});

describe('isLaneError', () => {
  it.each([new QueueClosedError('Queue "email"', 'add'), new TheirError()])('is true of %p', (error) => {
    expect(isLaneError(error)).toBe(true);
    expect(isLaneError(error, error.code)).toBe(true);
    expect(isLaneError(error, 'LANE_OTHER')).toBe(false);
  });

  it('is false of anything else, and never throws', () => {
    const foreign = Object.assign(new Error('foreign'), { code: 'LANE_CLOSED' });
    for (const other of [foreign, hostile, undefined, null, 5, 'LANE_CLOSED', {}]) {
      expect(isLaneError(other)).toBe(false);
      expect(isLaneError(other, 'LANE_CLOSED')).toBe(false);
    }
  });
});

describe('cause', () => {
  it('is a property of an error where something led to it, and of no other', () => {
    const led = new JobFailedError('1', 'email', 'no line', undefined, { cause: 'a reason' });
    expect(led.cause).toBe('a reason');
    expect(new JobFailedError('1', 'email', 'no line')).not.toHaveProperty('cause');
  });
});

describe('isStoreError', () => {
  it('is true of errors of a store alone', () => {
    expect(isStoreError(new ConnectionLostError('The store', false))).toBe(true);
    expect(isStoreError(new TheirError())).toBe(true);
    expect(isStoreError(new QueueClosedError('Queue "email"', 'add'))).toBe(false);
    expect(isStoreError(hostile)).toBe(false);
  });
});
