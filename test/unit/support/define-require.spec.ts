import { describe, expect, it } from '@jest/globals';
import * as rxjs from 'rxjs';

describe('require in the tests', () => {
  const { require } = globalThis;

  it('loads the same packages as import', () => {
    expect((require('rxjs') as typeof rxjs).Subject).toBe(rxjs.Subject);
  });

  it('says of a package that is not installed what Node says', () => {
    expect(() => require('not-installed-anywhere') as unknown).toThrow(
      expect.objectContaining({ code: 'MODULE_NOT_FOUND' }),
    );
  });
});
