import { list } from '@ioredis/commands';
import { describe, expect, it } from '@jest/globals';

import { allowedCommands } from '../../../../scripts/lua/redis-commands.mjs';

describe('The commands that scripts may call', () => {
  it('exist', () => {
    const known = list.map((name) => name.toUpperCase());
    expect([...allowedCommands].filter((name) => !known.includes(name))).toEqual([]);
  });
});
