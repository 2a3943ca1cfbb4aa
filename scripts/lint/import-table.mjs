// Who may import whom in lib/. A file belongs to the row with the longest matching path.

/**
 * @typedef {object} ImportRow
 * @property {string} path a folder or file in lib/
 * @property {'any' | string[]} mayImport other folders and files in lib/, besides the row's own
 * @property {string[]} packages
 * @property {'any' | string[]} builtins modules of Node
 * @property {string} because one sentence, which the person who broke the rule reads
 */

const embedded = 'backends/embedded';

/** @type {ImportRow[]} */
export const importTable = [
  {
    path: 'model',
    mayImport: [],
    packages: [],
    builtins: [],
    because: 'The model is plain data and pure rules: it imports nothing but itself.',
  },
  {
    path: 'model/policy/next-run-time.ts',
    mayImport: ['model'],
    packages: ['cron-parser'],
    builtins: [],
    because: 'Cron patterns are read by cron-parser and nothing else, here and nowhere else.',
  },
  {
    path: 'contract',
    mayImport: ['model'],
    packages: [],
    builtins: 'any',
    because: 'The contract says what a backend must do in terms of the model, and knows nobody else.',
  },
  {
    path: 'engine',
    mayImport: ['model', 'contract', 'backends/from-url.ts'],
    packages: ['rxjs'],
    builtins: 'any',
    because:
      'The engine knows backends by their contract only and runs without a framework: model, contract, from-url and rxjs.',
  },
  {
    path: 'backends/from-url.ts',
    mayImport: ['model', 'contract', 'backends'],
    packages: [],
    builtins: [],
    because:
      'from-url turns a URL into a backend, whose index it loads by a dynamic import when it is asked for.',
  },
  backend('embedded'),
  backend('memory', embedded),
  backend('sqlite', embedded),
  { ...backend('redis'), packages: ['ioredis'] },
  backend('postgres'),
  {
    path: 'nest',
    mayImport: ['model', 'contract', 'engine', 'backends/memory', 'backends/from-url.ts'],
    packages: ['@nestjs/common', '@nestjs/core', '@nestjs/terminus', 'reflect-metadata', 'rxjs'],
    builtins: 'any',
    because:
      'The Nest layer stands on model, contract, engine and from-url; of the backends it knows memory, the default.',
  },
  {
    path: 'testing/conformance',
    mayImport: ['model', 'contract', 'engine'],
    packages: [],
    builtins: ['assert', 'assert/strict'],
    because:
      'Conformance cases run on any backend under any test runner: model, contract, engine and node:assert, no framework.',
  },
  {
    path: 'testing/jest.ts',
    mayImport: ['testing'],
    packages: ['@jest/globals'],
    builtins: [],
    because:
      'Jest gives @jest/globals to whoever runs in it: the entry for Jest tells it the matchers, and no more.',
  },
  {
    path: 'testing/vitest.mts',
    mayImport: ['testing'],
    packages: ['vitest'],
    builtins: [],
    because: 'Whoever imports the entry for Vitest has Vitest: it tells it the matchers, and no more.',
  },
  {
    path: 'testing',
    mayImport: 'any',
    packages: ['@nestjs/common'],
    builtins: 'any',
    because: 'The test kit may use all of the library, but starts no server: a driver is not for it.',
  },
  {
    path: 'bullmq',
    mayImport: ['model', 'contract', 'engine', 'nest', 'backends/redis'],
    packages: [],
    builtins: [],
    because:
      'The names of BullMQ lead to what the model, contract, engine, Nest layer and Redis backend offer.',
  },
  {
    path: 'index.ts',
    mayImport: ['model', 'contract', 'engine', 'nest'],
    packages: [],
    builtins: [],
    because:
      'The root of the package exports from model, contract, engine and nest; every backend has a sub-path of its own.',
  },
];

/**
 * @param {string} name
 * @param {string[]} shared
 * @returns {ImportRow}
 */
function backend(name, ...shared) {
  return {
    path: `backends/${name}`,
    mayImport: ['model', 'contract', ...shared],
    packages: [],
    builtins: 'any',
    because:
      'A backend implements the contract: it imports model and contract, and neither the engine nor another backend.',
  };
}
