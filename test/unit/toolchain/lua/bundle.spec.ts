import { statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ScratchRepository } from '../scratch-repository';
import { command, include, problemsOf } from './lua-files';

// Each of the first tests starts a script.
jest.setTimeout(60_000);

const target = 'lib/backends/redis/lua-scripts.ts';

describe('scripts/bundle-lua.mjs', () => {
  let repository: ScratchRepository;
  const bundle = (...options: string[]) => repository.node('scripts/bundle-lua.mjs', ...options);

  beforeEach(() => {
    repository = new ScratchRepository({
      'lib/model/queue-event.ts': "export const QUEUE_EVENT_NAMES: readonly Name[] = [\n  'added',\n];\n",
      'lua/commands/count-jobs.lua': command({ tags: { events: 'added' } }),
    });
  });

  afterEach(() => repository.dispose());

  it('writes the module, and again only when a Lua file changed', () => {
    expect(bundle()).toEqual({ status: 0, output: '' });
    expect(repository.read(target)).toContain('export const COUNT_JOBS: LuaScript<CountJobsHead> = {');
    const written = statSync(join(repository.root, target)).mtimeMs;
    bundle();
    expect(statSync(join(repository.root, target)).mtimeMs).toBe(written);
    repository.write('lua/commands/count-jobs.lua', command({ code: 'return 2' }));
    bundle();
    expect(repository.read(target)).toContain('return 2');
  });

  it('takes another folder and another target', () => {
    repository.write('other/commands/add-jobs.lua', command());
    expect(bundle('--from', 'other', '--to', 'build/other.ts')).toEqual({ status: 0, output: '' });
    expect(repository.read('build/other.ts')).toContain('export const ADD_JOBS');
  });

  it('prints every problem of every file, in order, and writes nothing', () => {
    repository.write(
      'lua/commands/count-jobs.lua',
      command({ tags: { bound: undefined }, code: 'return a\n + b' }),
    );
    repository.write('lua/includes/keys.lua', include('A = 1'));
    expect(bundle()).toEqual({
      status: 1,
      output: [
        'lua/commands/count-jobs.lua:1: The head has no @bound.',
        'lua/commands/count-jobs.lua:10: a is neither a local nor a global that Redis offers.',
        'lua/commands/count-jobs.lua:11: b is neither a local nor a global that Redis offers.',
        'lua/includes/keys.lua:4: The global A is assigned: write local in front of it.',
        'lua/includes/keys.lua:4: An include holds local functions and constants, and nothing else.',
        '',
      ].join('\n'),
    });
    expect(() => repository.read(target)).toThrow('ENOENT');
  });

  it('fails when there is no command', () => {
    repository.remove('lua/commands');
    repository.write('lua/includes/keys.lua', include('local A = 1'));
    expect(bundle()).toEqual({
      status: 1,
      output: 'There is nothing to bundle: lua/commands has no .lua file.\n',
    });
  });

  it('fails when it does not find the events of the model', () => {
    repository.write('lib/model/queue-event.ts', 'export const NAMES = [];\n');
    expect(bundle()).toEqual({
      status: 1,
      output: 'lib/model/queue-event.ts has no list QUEUE_EVENT_NAMES.\n',
    });
  });
});

describe('The Lua folder', () => {
  it('holds Lua, of which nothing else is said while a file is none', () => {
    const problems = problemsOf({
      'commands/count-jobs': command({ code: 'return (' }),
      'includes/keys': include('A = 1'),
    });
    expect(problems).toEqual(["lua/commands/count-jobs.lua:12: <expression> expected near '<eof>'"]);
  });

  it.each(['commands/CountJobs', 'commands/jobs/count', 'includes/Keys', 'keys'])(
    'holds no file %s',
    (name) => {
      expect(problemsOf({ [name]: name.startsWith('c') ? command() : include('local A = 1') })).toEqual([
        `lua/${name}.lua:1: A Lua file is commands/its-name.lua or includes/some/name.lua.`,
      ]);
    },
  );
});
