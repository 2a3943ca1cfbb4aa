import { describe, expect, it } from '@jest/globals';

import { linkScript } from '../../../../scripts/lua/link-script.mjs';
import { readSource, type Source } from '../../../../scripts/lua/read-source.mjs';

function source(kind: Source['kind'], name: string, text: string): Source {
  const read = readSource({
    kind,
    name,
    text,
    report: (line, message) => {
      throw new Error(`${name}:${line}: ${message}`);
    },
  });
  return read!;
}

const head =
  '--[[ Tests.\n@keys base\n@args now\n@result text\n@refusals none\n@events none\n@bound none\n]]\n';

function command(text: string): Source {
  return source('command', 'test', `${head}${text}`);
}

describe('A linked script', () => {
  it('holds what is used of the includes, also by way of others, and nothing else', () => {
    const include = source(
      'include',
      'keys',
      `--[[ Keys. ]]
local UNUSED = 1
local function jobKey(id)
  return 'job:' .. id
end
local function unused()
  return jobKey('1')
end
local function lockKey(id)
  return jobKey(id) .. ':lock'
end
`,
    );

    expect(linkScript(command("return lockKey('1')\n"), [include])).toBe(`local _f
_f = {
call = redis.call,
jobKey = function(id)
  return 'job:' .. id
end,
lockKey = function(id)
  return _f.jobKey(id) .. ':lock'
end,
}
return _f.lockKey('1')
`);
  });

  it('writes constants where they are used, but for tables', () => {
    const include = source(
      'include',
      'numbers',
      "--[[ Numbers. ]]\nlocal MISSING = -2\nlocal NAMES = { 'a', 'b' }\n",
    );

    expect(linkScript(command('return { MISSING, NAMES[1] }\n'), [include])).toBe(`local _f
_f = {
call = redis.call,
NAMES = { 'a', 'b' },
}
return { -2, _f.NAMES[1] }
`);
  });

  it('leaves fields, keys of tables and locals alone that are called like something of an include', () => {
    const include = source('include', 'keys', '--[[ Keys. ]]\nlocal function job()\n  return 1\nend\n');
    const text =
      'local t = { job = job() }\nlocal function read(job)\n  return job\nend\nreturn read(t.job)\n';

    expect(linkScript(command(text), [include])).toContain(
      'local t = { job = _f.job() }\nlocal function read(job)\n  return job\nend\nreturn read(t.job)\n',
    );
  });

  it('makes the functions of a rare include, and what only it needs, when the first one of a file is looked up', () => {
    const common = source(
      'include',
      'keys',
      '--[[ Keys. ]]\nlocal function key()\n  return 1\nend\nlocal function often()\n  return 2\nend\n',
    );
    const rare = source(
      'include',
      'parents',
      '--[[ Parents.\n@rare\n]]\n-- @include keys\nlocal function parentKey()\n  return key()\nend\n',
    );

    expect(linkScript(command('return often() + parentKey()\n'), [common, rare])).toBe(`local _f
_f = {
call = redis.call,
often = function()
  return 2
end,
}
setmetatable(_f, { __index = function(_, name)
if name == 'key' then
_f.key = function()
  return 1
end
elseif name == 'parentKey' then
_f.parentKey = function()
  return _f.key()
end
end
return rawget(_f, name)
end })
return _f.often() + _f.parentKey()
`);
  });

  it('makes a function that is marked as rare when it is looked up, and no other one of its file', () => {
    const include = source(
      'include',
      'keys',
      `--[[ Keys. ]]
-- @rare
-- It tells why.
local function seldom()
  return 1
end

-- @rare

local function often()
  return 2
end
`,
    );

    expect(linkScript(command('return often() + seldom()\n'), [include])).toBe(`local _f
_f = {
call = redis.call,
often = function()
  return 2
end,
}
setmetatable(_f, { __index = function(_, name)
if name == 'seldom' then
_f.seldom = function()
  return 1
end
end
return rawget(_f, name)
end })
return _f.often() + _f.seldom()
`);
  });
});
