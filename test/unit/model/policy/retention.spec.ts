import { describe, expect, it } from '@jest/globals';

import { KEEP_ALL, resolveRetention, type RetentionOption } from '../../../../lib/model/policy/retention';

describe('resolveRetention', () => {
  it.each<[RetentionOption, object]>([
    [true, { count: 0, age: null, limit: 1000 }],
    [false, { count: -1, age: null, limit: 1000 }],
    [0, { count: 0, age: null, limit: 1000 }],
    [1, { count: 1, age: null, limit: 1000 }],
    [500, { count: 500, age: null, limit: 1000 }],
    [-1, { count: -1, age: null, limit: 1000 }],
    [{}, { count: -1, age: null, limit: 1000 }],
    [{ count: 0 }, { count: 0, age: null, limit: 1000 }],
    [{ count: 5 }, { count: 5, age: null, limit: 1000 }],
    [{ age: 60 }, { count: -1, age: 60_000, limit: 1000 }],
    [{ age: 0 }, { count: -1, age: 0, limit: 1000 }],
    [{ age: 0.5 }, { count: -1, age: 500, limit: 1000 }],
    [{ age: null, count: null, limit: null } as never, { count: -1, age: null, limit: 1000 }],
    [
      { age: -1, count: 1.5, limit: 0 },
      { count: 1, age: null, limit: 1000 },
    ],
    [{ age: 'x', count: 'x', limit: 1.5 } as never, { count: -1, age: null, limit: 1 }],
    [0.5, { count: 0, age: null, limit: 1000 }],
    [
      { count: 5, age: 60, limit: 1 },
      { count: 5, age: 60_000, limit: 1 },
    ],
  ])('reads %p, of the job as of the worker', (option, retention) => {
    expect(resolveRetention(option, undefined)).toEqual(retention);
    expect(resolveRetention(undefined, option)).toEqual(retention);
  });

  it('keeps all when nobody says otherwise', () => {
    expect(resolveRetention(undefined, undefined)).toEqual({ count: -1, age: null, limit: 1000 });
    expect(KEEP_ALL).toEqual({ count: -1, age: null, limit: 1000 });
  });

  it.each<[RetentionOption, RetentionOption, object]>([
    [false, true, { count: -1, age: null }],
    [0, 10, { count: 0, age: null }],
    [true, false, { count: 0, age: null }],
    [{ age: 60 }, { count: 5 }, { count: -1, age: 60_000 }],
    [{}, { count: 5 }, { count: -1, age: null }],
  ])('lets the job overrule the worker as a whole: %p over %p', (ofJob, ofWorker, retention) => {
    expect(resolveRetention(ofJob, ofWorker)).toMatchObject(retention);
  });
});
