import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { ScratchRepository } from './scratch-repository';

// It runs the compiler again and again.
jest.setTimeout(60_000);

const countJobs = `--[[
Counts jobs by their state.

@keys base
@args prefix
@each state
@result the sum
@refusals none
@events none
@bound one call a state
]]
local prefix = unpack(ARGV, 1, 1)
local sum = 0
for i = 2, #ARGV do
  sum = sum + redis.call('LLEN', KEYS[1] .. prefix .. ARGV[i])
end
return sum
`;

describe('scripts/build.mjs', () => {
  let repository: ScratchRepository;
  let first: ReturnType<ScratchRepository['node']>;
  const build = (...targets: string[]) => repository.node('scripts/build.mjs', ...targets);

  beforeAll(() => {
    repository = new ScratchRepository({
      'scripts/subpaths.json': JSON.stringify([
        { subpath: '.', source: 'lib/index.ts', declarationsMayImport: [] },
      ]),
      'lib/index.ts': "export { Queue } from './queue';\nexport type { Size } from './queue';\n",
      'lib/queue.ts': 'export type Size = number;\n\nexport class Queue {}\n',
      'lib/model/queue-event.ts': "export const QUEUE_EVENT_NAMES = ['waiting'];\n",
      'lua/commands/count-jobs.lua': countJobs,
      'sample/01-first/data/people.csv': 'Ada',
      'sample/01-first/main.ts': `
        import { Queue } from 'nestjs-lane';

        declare const __dirname: string;
        declare const console: { log(...values: unknown[]): void };
        declare const require: (name: string) => { readFileSync(path: string, encoding: string): string };

        const people = require('node:fs').readFileSync(__dirname + '/data/people.csv', 'utf8');
        console.log(new Queue().constructor.name, people);`,
    });
    // Reading the types of Node would take half of the time.
    repository.write(
      'tsconfig.base.json',
      repository.read('tsconfig.base.json').replace('"types": ["node"]', '"types": []'),
    );
    first = build('lib', 'sample');
  });

  afterAll(() => repository.dispose());

  it('builds what it was told to', () => {
    expect(first).toEqual({ status: 0, output: 'Building dist/\nBuilding build/sample/\n' });
  });

  it('gives require and import the same classes and types', () => {
    expect(repository.read('dist/index.mjs')).toBe("export {\n  Queue,\n} from './index.js';\n");
    expect(repository.read('dist/index.d.mts')).toBe("export * from './index.js';\n");
    repository.write(
      'compare.mjs',
      `import { createRequire } from 'node:module';
       import { Queue } from 'nestjs-lane';
       console.log(createRequire(import.meta.url)('nestjs-lane').Queue === Queue);`,
    );
    expect(repository.node('compare.mjs')).toEqual({ status: 0, output: 'true\n' });
  });

  it('builds samples against the built package, with the files that belong to them', () => {
    expect(repository.node('build/sample/01-first/main.js')).toEqual({ status: 0, output: 'Queue Ada\n' });
  });

  it('does nothing when nothing changed, unless it is forced', () => {
    expect(build('lib', 'sample')).toEqual({ status: 0, output: '' });
    expect(build('--force', 'lib').output).toBe('Building dist/\n');
  });

  it('builds again what lost a file', () => {
    repository.remove('dist/queue.js');
    expect(build('lib').output).toBe('Building dist/\n');
    expect(repository.read('dist/queue.js')).toContain('class Queue');
  });

  it('builds again what has no record, as after a build that was stopped', () => {
    repository.remove('build/lib.json');
    expect(build('lib').output).toBe('Building dist/\n');
  });

  it('builds both again when a source of the package changed', () => {
    repository.write('lib/queue.ts', 'export type Size = number;\n\nexport class Queue {\n  size = 1;\n}\n');
    expect(build('lib', 'sample').output).toBe('Building dist/\nBuilding build/sample/\n');
    expect(build('lib', 'sample').output).toBe('');
  });

  it('keeps the last result when a source has an error, and does not take it for fresh', () => {
    const before = repository.read('dist/queue.js');
    repository.write('lib/queue.ts', 'export type Size = number;\n\nexport class Queue extends Missing {}\n');
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { status, output } = build('lib');
      expect(status).toBe(1);
      expect(output).toMatch(/lib\/queue\.ts.*Cannot find name 'Missing'/);
      expect(output).toMatch(/dist\/ was not built/);
    }
    expect(repository.read('dist/queue.js')).toBe(before);
  });

  it('bundles the Lua scripts, and builds again when one changed', () => {
    repository.write('lib/queue.ts', 'export class Queue {}\nexport type Size = number;\n');
    build('lib');
    expect(repository.read('dist/backends/redis/lua-scripts.js')).toContain('exports.COUNT_JOBS');
    repository.write('lua/commands/count-jobs.lua', countJobs.replace('LLEN', 'SCARD'));
    expect(build('lib').output).toBe('Building dist/\n');
    expect(repository.read('dist/backends/redis/lua-scripts.js')).toContain('SCARD');
  });

  it('builds nothing while a Lua script is wrong', () => {
    repository.write('lua/commands/count-jobs.lua', countJobs.replace('LLEN', 'KEYS'));
    expect(build('lib')).toEqual({
      status: 1,
      output: 'lua/commands/count-jobs.lua:15: KEYS is not for scripts: it looks at the whole database.\n',
    });
  });

  it.each([
    { targets: [], message: 'Name what to build: lib, sample.' },
    { targets: ['docs'], message: 'Cannot build "docs": it is not one of lib, sample.' },
  ])('says what it can build when asked for $targets', ({ targets, message }) => {
    expect(build(...targets)).toEqual({ status: 1, output: `${message}\n` });
  });
});
