import { describe, expect, it } from '@jest/globals';

import { mostLocals, mostUpvalues } from '../../../../scripts/lua/check-script.mjs';
import { command, include, problemsOf, problemsOfCommand } from './lua-files';

describe('Names in a Lua file', () => {
  it.each([
    ['os.time()', 'os is neither a local nor a global that Redis offers.'],
    ["loadstring('return 1')()", 'loadstring is neither a local nor a global that Redis offers.'],
    ['missing.field = 1', 'missing is neither a local nor a global that Redis offers.'],
    ['count = 1', 'The global count is assigned: write local in front of it.'],
    ['function count() end', 'The global count is assigned: write local in front of it.'],
    ['string.trim = 1', 'A field of the global string is assigned.'],
    ['function string.trim() end', 'A field of the global string is assigned.'],
    ["ARGV[1] = 'x'", 'A field of the global ARGV is assigned.'],
    ['for i = 1, 2 do end tostring(i)', 'i is neither a local nor a global that Redis offers.'],
    ['do local a = 1 end tostring(a)', 'a is neither a local nor a global that Redis offers.'],
    ['local a = a', 'a is neither a local nor a global that Redis offers.'],
    ['local f = function() return f end', 'f is neither a local nor a global that Redis offers.'],
  ])('have to be known: %s', (code, message) => {
    expect(problemsOfCommand({ code })).toContain(`lua/commands/count-jobs.lua:11: ${message}`);
  });

  it.each([
    'local a = { os = 1, [state] = 2 } return a.os',
    'local function f(...) return f, select(1, ...) end return f(state)',
    'local a = {} function a:b() return self, a end return a:b()',
    'repeat local a = state until a',
    'for i, each in ipairs({ state }) do while each > i do each = each - 1 end end',
    'for i = 1, 2 do if i > 1 then state = i elseif i < 0 then local b = i else state = 3 end end',
    'local a a = 1 a = a + 1',
  ])('are those of Lua: %s', (code) => {
    expect(problemsOfCommand({ code })).toEqual([]);
  });

  it('cannot be assigned where they belong to an include', () => {
    const problems = problemsOf({
      'commands/a': command({ includes: ['a'], code: 'A = 2' }),
      'includes/a': include('local A = 1\nlocal function f() A = 2 end'),
    });
    expect(problems).toEqual([
      'lua/commands/a.lua:12: A is a constant: do not assign it.',
      'lua/includes/a.lua:5: A is a constant: do not assign it.',
    ]);
  });
});

describe('Calls of Redis', () => {
  it.each([
    ['redis.call(state)', 'redis.call needs the name of a command, in quotes.'],
    ["redis.pcall('GE' .. 'T')", 'redis.pcall needs the name of a command, in quotes.'],
    ['redis.call()', 'redis.call needs the name of a command, in quotes.'],
    ['redis.call{}', 'redis.call needs the name of a command, in quotes.'],
    ['local call = redis.call', 'redis.call needs the name of a command, in quotes.'],
    ['tostring(redis.call)', 'redis.call needs the name of a command, in quotes.'],
    ['local r = redis', 'redis has to be used by name, as in redis.call, so that its calls can be checked.'],
    [
      "redis['call']('GET', state)",
      'redis has to be used by name, as in redis.call, so that its calls can be checked.',
    ],
    ["redis.call('get', state)", 'Write get in upper case.'],
    ["redis.call('GEET', state)", 'GEET is not a command that Redis 6.2 offers to scripts.'],
    ["redis.call('LMPOP', state)", 'LMPOP is not a command that Redis 6.2 offers to scripts.'],
    ["redis.call('EXPIRETIME', state)", 'EXPIRETIME is not a command that Redis 6.2 offers to scripts.'],
    ["redis.call('KEYS', '*')", 'KEYS is not for scripts: it looks at the whole database.'],
    ["redis.call('SCAN', 0)", 'SCAN is not for scripts: it looks at the whole database.'],
    ["redis.call('RANDOMKEY')", 'RANDOMKEY is not for scripts: it looks at the whole database.'],
    ["redis.call('FLUSHALL')", 'FLUSHALL is not for scripts: it deletes or moves the whole database.'],
    ["redis.call('FLUSHDB')", 'FLUSHDB is not for scripts: it deletes or moves the whole database.'],
    ["redis.call('SELECT', 1)", 'SELECT is not for scripts: it changes the connection or the server.'],
    ["redis.call('CONFIG', 'GET')", 'CONFIG is not for scripts: it changes the connection or the server.'],
    ["redis.call('EVAL', state, 0)", 'EVAL is not for scripts: it runs a script.'],
    ["redis.call('BLPOP', state, 0)", 'BLPOP is not for scripts: it waits.'],
  ])('have to be calls that can be checked, of a known command: %s', (code, message) => {
    expect(problemsOfCommand({ code })).toEqual([`lua/commands/count-jobs.lua:11: ${message}`]);
  });

  it('are accepted in quotes of both kinds, and without brackets', () => {
    const code = `redis.call('GET', state) redis.pcall("XADD", state, '*', 'a', 1) redis.call'TIME'`;
    expect(problemsOfCommand({ code })).toEqual([]);
  });
});

describe('A command', () => {
  it.each([
    'local other = unpack(ARGV, 1, 1)',
    'local state, other = unpack(ARGV, 1, 2)',
    'local state = unpack(ARGV, 1, 2)',
    'local state = unpack(ARGV, 2, 1)',
    'local state = unpack(ARGV)',
    'local state = ARGV[1]',
    "local state = 'wait'",
    '-- Nothing is read.',
  ])('begins with its arguments, and not with %s', (first) => {
    expect(problemsOfCommand({ first, code: 'return 1' })).toEqual([
      `lua/commands/count-jobs.lua:${first.startsWith('--') ? 11 : 10}: ` +
        'The first statement has to be: local state = unpack(ARGV, 1, 1)',
    ]);
  });

  it.each([
    'for i = 1, #ARGV, 2 do end',
    'for i = 2, #ARGV, 3 do end',
    'for i = 2, #ARGV do end',
    'for i = 2, 10, 2 do end',
    'for i = 1 + 1, #ARGV, 2 do end',
    'for i = 2, #state, 2 do end',
    'return ARGV[2]',
  ])('reads repeated groups in steps of their size, and not by %s', (code) => {
    expect(problemsOfCommand({ tags: { each: 'id name' }, code })).toEqual([
      'lua/commands/count-jobs.lua:9: @each: the fields have to be read in a loop: for i = 2, #ARGV, 2 do',
    ]);
  });

  it.each([
    { each: 'id name', code: 'local function read()\n  for i = 2, #ARGV, 2 do end\nend' },
    { each: 'id', code: 'for i = 2, #ARGV do end' },
    { each: 'id', code: 'for i = 2, #ARGV, 1 do end' },
  ])('reads repeated groups of $each by $code', ({ each, code }) => {
    expect(problemsOfCommand({ tags: { each }, code })).toEqual([]);
  });

  it.each([
    ['return KEYS[2]', 'A command has one key, KEYS[1].'],
    ['return #KEYS', 'A command has one key, KEYS[1].'],
    ['return state[KEYS]', 'A command has one key, KEYS[1].'],
    [
      'local function f() return KEYS[1] end',
      'KEYS is for the main chunk: a function is given its parameters.',
    ],
  ])('uses its one key in its main chunk: %s', (code, message) => {
    expect(problemsOfCommand({ code })).toEqual([`lua/commands/count-jobs.lua:11: ${message}`]);
  });
});

describe('An include', () => {
  it.each([
    ['local function f() return ARGV[1] end', 'ARGV is for commands: an include is given its parameters.'],
    ['local function f() return KEYS[1] end', 'KEYS is for commands: an include is given its parameters.'],
    ["local A = redis.call('TIME')", 'An include uses redis in its functions only.'],
    ['local f', 'An include holds local functions and constants, and nothing else.'],
    ['return 1', 'An include holds local functions and constants, and nothing else.'],
    ['if 1 then end', 'An include holds local functions and constants, and nothing else.'],
    ['do local A = 1 end', 'An include holds local functions and constants, and nothing else.'],
    ['tostring(1)', 'An include holds local functions and constants, and nothing else.'],
  ])('declares, and does nothing: %s', (code, message) => {
    expect(problemsOf({ 'includes/a': include(code) })).toEqual([`lua/includes/a.lua:4: ${message}`]);
  });
});

describe('The limits of Lua 5.1', () => {
  const names = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => prefix + index);
  const declarations = (count: number, prefix: string) =>
    names(count, prefix)
      .map((name) => `local ${name} = 1`)
      .join('\n');

  it('hold for the locals of a command, not for the names of what it includes', () => {
    const files = (count: number) => ({
      'commands/a': command({
        includes: ['a'],
        code: `do\n${declarations(5, 'inner')}\nend\n${declarations(count, 'own')}\nreturn { all }`,
      }),
      'includes/a': include(
        `${declarations(mostLocals, 'a')}\nlocal all = { ${names(mostLocals, 'a').join(', ')} }`,
      ),
    });
    // One is for the argument of the command.
    const most = mostLocals - 1;
    expect(problemsOf(files(most))).toEqual([]);
    expect(problemsOf(files(most + 1))).toEqual([
      'lua/commands/a.lua:1: It has 181 top-level locals: 180 are allowed.',
    ]);
  });

  it('hold for what a function uses from outside, also by way of functions in it', () => {
    const files = (count: number) => {
      const uses = names(count, 'a').join(', ');
      const all = names(mostUpvalues + 1, 'a');
      return {
        'commands/a': command({ includes: ['a', 'b'], code: `return { f, ${all.join(', ')} }` }),
        'includes/a': include(declarations(all.length, 'a')),
        'includes/b': include(
          `local function f(x)\n  local y = x\n  return function() return { x, y, ${uses} } end\nend`,
          ['a'],
        ),
      };
    };
    expect(problemsOf(files(mostUpvalues - 2))).toEqual([]);
    expect(problemsOf(files(mostUpvalues - 1))).toEqual([
      'lua/includes/b.lua:7: This function uses 61 variables from outside: Lua allows 60.',
    ]);
    expect(problemsOf(files(mostUpvalues + 1))).toContain(
      'lua/includes/b.lua:5: This function uses 61 variables from outside: Lua allows 60.',
    );
  });
});
