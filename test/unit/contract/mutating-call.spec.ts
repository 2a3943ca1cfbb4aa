import { describe, expect, it } from '@jest/globals';

import { CHANNELS, leaseTokenOf, MAX_BATCH, MAX_BATCH_SIZE } from '../../../lib/contract/mutating-call';

const CALLER = '0123456789abcdef0123456789abcdef';

describe('the channels of a caller', () => {
  const names = Object.values(CHANNELS).flat();

  it('are eight for adding, two for working and one for the rest', () => {
    expect(CHANNELS.add).toHaveLength(8);
    expect(CHANNELS.work).toHaveLength(2);
    expect(CHANNELS.control).toHaveLength(1);
  });

  it('have names of their own, in which no separator of the token occurs', () => {
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      expect(name).toMatch(/^[a-z]\d$/);
    }
  });
});

describe('leaseTokenOf', () => {
  it('is caller, channel and number', () => {
    expect(leaseTokenOf({ caller: CALLER, channel: 'w1', sequence: 42, notAfter: 5 })).toBe(
      `${CALLER}:w1:42`,
    );
  });

  it('differs with each of them, and not with the deadline', () => {
    const call = { caller: CALLER, channel: 'w0', sequence: 1, notAfter: 5 };
    const tokens = [
      call,
      { ...call, caller: CALLER.replace('0', 'f') },
      { ...call, channel: 'w1' },
      { ...call, sequence: 11 },
      { ...call, channel: 'w01', sequence: 1 },
    ].map(leaseTokenOf);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(leaseTokenOf({ ...call, notAfter: 6 })).toBe(leaseTokenOf(call));
  });
});

describe('the bounds of a call', () => {
  it('are those that were measured', () => {
    expect([MAX_BATCH, MAX_BATCH_SIZE]).toEqual([200, 1024 * 1024]);
  });
});
