import { describe, expect, it } from '@jest/globals';

import { readLuaFiles } from '../../../../scripts/lua/bundle.mjs';

const asking = 'lua/commands/check-rights.lua';

describe('lua/commands/check-rights.lua', () => {
  it('asks about every command of Redis that the other files call, and no other', () => {
    const files = readLuaFiles();
    const called = new Set(
      [...files]
        .filter(([file]) => file !== asking)
        .flatMap(([, text]) => [...text.matchAll(/redis\.p?call\(\s*'(\w+)'/g)])
        .map(([, name]) => name!),
    );
    const asked = [...files.get(asking)!.matchAll(/^note\('(\w+)', redis\.pcall\('(\w+)'/gm)];
    expect(called.size).toBeGreaterThan(0);
    expect(asked.map(([, , name]) => name).sort()).toEqual([...called].sort());
    // The name that is told is the one that was tried.
    expect(asked.map(([, told]) => told!.toUpperCase())).toEqual(asked.map(([, , name]) => name));
  });
});
