import { createHash } from 'node:crypto';
import { compileFunction } from 'node:vm';

import { beforeAll, describe, expect, it } from '@jest/globals';
import luaparse from 'luaparse';
import ts from 'typescript';

import { bundle, readLuaFiles } from '../../../../scripts/lua/bundle.mjs';

const fixtures = 'test/unit/toolchain/lua/fixtures';

interface Script {
  name: string;
  text: string;
  sha1: string;
  encode(head: object, items?: object[]): (string | number)[];
}

interface Module {
  ADD_JOBS: Script;
  GET_NAME: Script;
  LUA_SCRIPTS: Script[];
}

const head = {
  priority: 7,
  notAfter: 'until',
  sequence: 4,
  channel: 'channel',
  caller: 'caller',
  now: '',
};

describe('The module of the scripts', () => {
  let text: string;
  let module: Module;

  beforeAll(() => {
    text = bundle(readLuaFiles(fixtures));
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const exports = {};
    const run = compileFunction(outputText, ['exports']) as (exports: object) => void;
    run(exports);
    module = exports as Module;
  });

  it('says that it is generated, and by what', () => {
    expect(text.split('\n')[0]).toBe(
      '// Generated from lua/ by scripts/bundle-lua.mjs. Do not edit: change the Lua files, and run "npm run bundle:lua".',
    );
  });

  it('holds every script under its name', () => {
    const { ADD_JOBS, GET_NAME, LUA_SCRIPTS } = module;
    expect([ADD_JOBS.name, GET_NAME.name]).toEqual(['add-jobs', 'get-name']);
    expect(LUA_SCRIPTS).toEqual([ADD_JOBS, GET_NAME]);
  });

  it('writes includes first, each once, and nothing that does not run', () => {
    expect(module.ADD_JOBS.text).toBe(`-- nestjs-lane: add-jobs
local _f
_f = {
call = redis.call,
jobKey = function(base, id)
  return base .. id
end,
storeJob = function(base, id, name, data)
  _f.call('HSET', _f.jobKey(base, id), 'name', name , 'data', data, 'note', [[
-- not a comment

after a blank line]] .. '--')
end,
}
local now, caller, channel, sequence, notAfter, priority = unpack(ARGV, 1, 6)
local base = KEYS[1]
local count = 0
for i = 7, #ARGV, 3 do
  local id, name, data = unpack(ARGV, i, i + 2)
  _f.storeJob(base, id, name, data)
  _f.call('HSET', _f.jobKey(base, id), 'priority', priority)
  count = count + 1
end
return count
`);
  });

  it('leaves out what a command does not include', () => {
    expect(module.GET_NAME.text).not.toContain('storeJob');
  });

  it('holds Lua, with the hash by which a server knows it', () => {
    for (const script of module.LUA_SCRIPTS) {
      expect(luaparse.parse(script.text, { luaVersion: '5.1' }).body.length).toBeGreaterThan(1);
      expect(script.sha1).toBe(createHash('sha1').update(script.text).digest('hex'));
    }
  });

  it('writes arguments in the order of the head, and items behind them', () => {
    const first = { name: 'send', data: '{}', id: '1' };
    const second = { data: '[]', id: '2', name: 'fetch' };
    const leading = ['', 'caller', 'channel', 4, 'until', 7];
    expect(module.ADD_JOBS.encode(head, [first, second])).toEqual([
      ...leading,
      ...['1', 'send', '{}'],
      ...['2', 'fetch', '[]'],
    ]);
    expect(module.ADD_JOBS.encode(head)).toEqual(leading);
    expect(module.GET_NAME.encode({ id: '1' })).toEqual(['1']);
  });

  it('tells in doc comments what the heads say', () => {
    expect(text).toContain(`/**
 * Stores jobs, and says how many it was given.
 * Jobs that are there are overwritten: *\\/ ends no comment.
 */
export interface AddJobsHead {
  now: string | number;
  caller: string | number;`);
    expect(text).toContain(`
 * Reply: the number of jobs
 * that were given
 * Refusals: job-not-found, lease-missing
 * Events: added, waiting
 * Bound: two writes a job
 */
export const ADD_JOBS: LuaScript<AddJobsHead, AddJobsItem> = {`);
    expect(text).toContain(`
 * Refusals: none
 * Events: none
 * Bound: one read
 */
export const GET_NAME: LuaScript<GetNameHead> = {`);
  });

  it('is the same every time', () => {
    expect(bundle(readLuaFiles(fixtures))).toBe(text);
  });
});
