// Turns the Lua files of the Redis backend into one TypeScript module.
//
//   node scripts/bundle-lua.mjs                          lua/ to lib/backends/redis/lua-scripts.ts
//   node scripts/bundle-lua.mjs --from folder --to file   others, relative to the root

import { parseArgs } from 'node:util';

import { LuaProblems, updateLuaModule } from './lua/bundle.mjs';

const { values: options } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });

try {
  updateLuaModule(options.from, options.to);
} catch (error) {
  if (!(error instanceof LuaProblems)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
