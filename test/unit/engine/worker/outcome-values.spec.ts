import { describe, expect, it } from '@jest/globals';

import { complete, discard, outcomeOf, snooze } from '../../../../lib/engine/worker/outcome-values';
import { InvalidDurationError } from '../../../../lib/model/errors/invalid-duration.error';
import { InvalidFlagError } from '../../../../lib/model/errors/invalid-flag.error';
import { InvalidReasonError } from '../../../../lib/model/errors/invalid-reason.error';
import { RateLimitError } from '../../../../lib/model/errors/rate-limit.error';
import { RateLimited } from '../../../../lib/model/errors/rate-limited.error';
import { UnknownOptionError } from '../../../../lib/model/errors/unknown-option.error';

const BRAND = Symbol.for('nestjs-lane.outcome');

describe('outcome values', () => {
  it('cannot be changed', () => {
    for (const outcome of [snooze(5), discard(), complete(1)]) {
      expect(Object.isFrozen(outcome)).toBe(true);
    }
  });

  it('say what becomes of a job', () => {
    expect(snooze('10m')).toMatchObject({ kind: 'snooze', duration: 600_000 });
    expect(snooze(0.5)).toMatchObject({ duration: 1 });
    expect(snooze(0)).toMatchObject({ duration: 0 });
    expect(discard()).toMatchObject({ kind: 'discard', reason: 'job was discarded', remove: false });
    expect(discard('gone', { remove: true })).toMatchObject({ reason: 'gone', remove: true });
    expect(complete(undefined)).toMatchObject({ kind: 'complete', value: undefined });
  });

  it.each([
    [() => snooze(-1), InvalidDurationError],
    [() => snooze('soon' as '1s'), InvalidDurationError],
    [() => snooze('40000d'), InvalidDurationError],
    [() => discard(5 as unknown as string), InvalidReasonError],
    [() => discard('', { remove: 1 as unknown as boolean }), InvalidFlagError],
    [() => discard('', { removed: true } as object), UnknownOptionError],
    [() => new RateLimited(0), InvalidDurationError],
    [() => new RateLimited('40000d'), InvalidDurationError],
  ])('refuse what is wrong: %s', (make, error) => {
    expect(make).toThrow(error);
  });

  it('are known by a mark that copies of the package share', () => {
    const copy = { [BRAND]: true, kind: 'snooze', duration: 5 };

    expect(outcomeOf(copy)).toBe(copy);
    for (const own of [snooze(5), discard(), complete(1), new RateLimited('1s')]) {
      expect(outcomeOf(own)).toBe(own);
    }
  });

  it.each([[undefined], [null], ['snooze'], [{ kind: 'snooze', duration: 5 }], [new RateLimitError()], [[]]])(
    'are not seen in %p',
    (value) => {
      expect(outcomeOf(value)).toBeUndefined();
    },
  );

  it('are not seen in what lets nobody look', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    expect(outcomeOf(proxy)).toBeUndefined();
  });
});

describe('RateLimited', () => {
  it('is a RateLimitError that says for how long', () => {
    const cause = new Error('429');
    const error = new RateLimited('30s', { cause });

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      name: 'RateLimited',
      duration: 30_000,
      message: 'Rate limited for 30000 ms',
      cause,
    });
  });
});
