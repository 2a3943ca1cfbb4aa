import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ScratchRepository } from './scratch-repository';

// Each test starts a script, and some start the test runner.
jest.setTimeout(60_000);

let repository: ScratchRepository;

beforeEach(() => {
  repository = new ScratchRepository({ 'lib/index.ts': 'export const lane = 1;\n' });
});

afterEach(() => repository.dispose());

describe('scripts/check-declarations.mjs', () => {
  const check = () => repository.node('scripts/check-declarations.mjs');

  beforeEach(() => {
    repository.write(
      'scripts/subpaths.json',
      JSON.stringify([
        { subpath: '.', source: 'lib/index.ts', declarationsMayImport: ['@nestjs/common'] },
        { subpath: './memory', source: 'lib/memory/index.ts', declarationsMayImport: [] },
      ]),
    );
    repository.write(
      'dist/index.d.ts',
      "export { Part } from './part';\nexport type { A } from '@nestjs/common';\n",
    );
    repository.write('dist/part.d.ts', "import { EventEmitter } from 'node:events';\nexport class Part {}\n");
    repository.write('dist/memory/index.d.ts', "export type { Clock } from '../clock.js';\n");
    repository.write(
      'dist/clock.d.ts',
      '/// <reference types="node" />\nexport type Clock = NodeJS.Timeout;\n',
    );
  });

  it('accepts Node, and what the row of the sub-path allows', () => {
    expect(check()).toEqual({ status: 0, output: '' });
  });

  it('refuses other packages, however they are mentioned and whatever another row allows', () => {
    repository.write(
      'dist/clock.d.ts',
      `/// <reference types="from-reference" />
       import type { A } from 'from-import';
       export { B } from 'from-export/built/file';
       export type C = import('@from/type').C;
       export { Logger } from '@nestjs/common/services';`,
    );
    const { status, output } = check();
    expect(status).toBe(1);
    for (const name of ['from-reference', 'from-import', 'from-export', '@from/type', '@nestjs/common']) {
      expect(output).toContain(`The types of nestjs-lane/memory mention ${name}, in dist/clock.d.ts.`);
    }
    expect(output).not.toContain('The types of nestjs-lane mention');
  });

  it('fails when a declaration file is not there', () => {
    repository.remove('dist/memory/index.d.ts');
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output).toContain('ENOENT');
  });
});

describe('scripts/generate.mjs', () => {
  const generate = (...args: string[]) => repository.node('scripts/generate.mjs', ...args);

  it('finds files that are behind the sub-paths and their entries, and mends them', () => {
    repository.write(
      'scripts/subpaths.json',
      JSON.stringify([
        { subpath: '.', source: 'lib/index.ts', declarationsMayImport: [] },
        { subpath: './sqlite', source: 'lib/backends/sqlite/index.ts', declarationsMayImport: [] },
      ]),
    );
    repository.write('lib/index.ts', "export { Queue, type QueueOptions } from './engine/queue';\n");
    repository.write(
      'lib/backends/sqlite/index.ts',
      "export type { Db } from './db';\nexport { sqlite } from './db';\n",
    );
    repository.write('test/unit/package/public-names.json', '{}');

    const check = generate('--check');
    expect(check.status).toBe(1);
    expect(check.output).toContain(
      'Not up to date: package.json, tsconfig.paths.json, test/unit/package/public-names.json.',
    );

    expect(generate()).toEqual({ status: 0, output: '' });
    expect(generate('--check')).toEqual({ status: 0, output: '' });
    const entry = './dist/backends/sqlite/index';
    expect(JSON.parse(repository.read('package.json'))).toMatchObject({
      exports: {
        './sqlite': {
          import: { types: `${entry}.d.mts`, default: `${entry}.mjs` },
          require: { types: `${entry}.d.ts`, default: `${entry}.js` },
        },
        './package.json': './package.json',
      },
      typesVersions: { '*': { sqlite: ['dist/backends/sqlite/index.d.ts'] } },
    });
    expect(JSON.parse(repository.read('tsconfig.paths.json'))).toEqual({
      compilerOptions: {
        paths: {
          'nestjs-lane': ['./lib/index.ts'],
          'nestjs-lane/sqlite': ['./lib/backends/sqlite/index.ts'],
        },
      },
    });
    expect(JSON.parse(repository.read('test/unit/package/public-names.json'))).toEqual({
      'nestjs-lane': { values: ['Queue'], types: ['QueueOptions'] },
      'nestjs-lane/sqlite': { values: ['sqlite'], types: ['Db'] },
    });

    repository.write('lib/index.ts', "export { Queue, Worker } from './engine/queue';\n");
    expect(generate('--check').output).toContain('Not up to date: test/unit/package/public-names.json.');
  });
});

describe('scripts/check-spec-names.mjs', () => {
  const check = () => repository.node('scripts/check-spec-names.mjs');
  const spec = "import { it } from '@jest/globals';\n\nit('passes', () => undefined);\n";

  it('accepts specs that a layer runs, and files that are none', () => {
    repository.write('test/unit/queue.spec.ts', spec);
    repository.write('test/support/latest.ts', 'export const latest = 1;\n');
    repository.write('test/interop/package/fixtures/app/app.test.ts', spec);
    expect(check()).toEqual({ status: 0, output: '' });
  });

  it('finds files that look like specs and would never run', () => {
    const files = [
      'test/queue.spec.ts',
      'test/storm/queue.spec.ts',
      'test/unit/queue-spec.ts',
      'test/unit/queue.sepc.ts',
      'test/unit/queue.spec.mts',
      'test/unit/queue.specs.ts',
      'test/unit/queue.test.ts',
    ];
    for (const file of files) repository.write(file, spec);
    const { status, output } = check();
    expect(status).toBe(1);
    for (const file of files) {
      expect(output).toContain(`${file} looks like a spec, but no test layer runs it.\n`);
    }
  });
});
