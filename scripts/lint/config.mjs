// The ESLint configuration, as a function of the folder it is for: its spec applies it to made-up projects.

import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import jest from 'eslint-plugin-jest';
import tsdoc from 'eslint-plugin-tsdoc';
import { defineConfig, globalIgnores } from 'eslint/config';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

import { packageName } from '../subpaths.mjs';
import { importTable } from './import-table.mjs';

/** @typedef {import('./import-table.mjs').ImportRow} ImportRow */
/** @typedef {import('eslint').Linter.Config} Config */

/** @param {string} root */
export function lintConfig(root) {
  return defineConfig(
    globalIgnores(['build/', 'dist/', 'lib/backends/redis/lua-scripts.ts', '**/fixtures/']),
    js.configs.recommended,
    tseslint.configs.recommendedTypeChecked,
    {
      name: 'lane/all',
      plugins: { 'import-x': importX },
      languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
      settings: {
        ...importX.flatConfigs.typescript.settings,
        'import-x/resolver-next': [createTypeScriptImportResolver({ project: join(root, 'tsconfig.json') })],
      },
      rules: {
        eqeqeq: ['error', 'always', { null: 'ignore' }],
        '@typescript-eslint/consistent-type-exports': 'error',
        '@typescript-eslint/consistent-type-imports': 'error',
        // What implements an asynchronous contract is asynchronous, whether it has to wait or not.
        '@typescript-eslint/require-await': 'off',
        // The compiler knows which names exist.
        'no-undef': 'off',
        '@typescript-eslint/switch-exhaustiveness-check': 'error',
        'import-x/no-cycle': ['error', { ignoreExternal: true }],
      },
    },
    {
      name: 'lane/scripts',
      files: ['**/*.mjs'],
      rules: {
        // Doc comments cannot narrow what JSON.parse and import() give.
        '@typescript-eslint/no-unsafe-argument': 'off',
        '@typescript-eslint/no-unsafe-assignment': 'off',
        '@typescript-eslint/no-unsafe-return': 'off',
      },
    },
    library(root),
    tests(root),
    samples(),
  );
}

/**
 * @param {string} root
 * @returns {Config[]}
 */
function library(root) {
  const files = ['lib/**/*.{ts,mts}'];
  const syntax = {
    exportAll: {
      selector: 'ExportAllDeclaration',
      message: 'Export by name: what is public is decided name by name.',
    },
    dynamicImport: {
      selector: 'ImportExpression',
      message:
        'Only backends/from-url loads modules when they are asked for. Import it at the top of the file.',
    },
    backendOnDemand: {
      selector: 'ImportExpression:not([source.value=/^\\.\\/[a-z]+\\/index\\.js$/])',
      message: "from-url loads the index of a backend and nothing else: import('./memory/index.js').",
    },
    require: {
      selector: 'CallExpression[callee.name="require"], TSImportEqualsDeclaration',
      message: 'Only a driver.ts loads a package with require. Use import.',
    },
  };
  return [
    {
      name: 'lane/library',
      files,
      plugins: { tsdoc },
      rules: {
        'import-x/no-default-export': 'error',
        'no-console': 'error',
        'no-restricted-syntax': ['error', syntax.exportAll, syntax.dynamicImport, syntax.require],
        'tsdoc/syntax': 'error',
      },
    },
    {
      name: 'lane/library/drivers',
      files: ['lib/backends/*/driver.ts', 'lib/nest/terminus/driver.ts'],
      rules: {
        '@typescript-eslint/no-require-imports': 'off',
        'no-restricted-syntax': ['error', syntax.exportAll, syntax.dynamicImport],
      },
    },
    {
      name: 'lane/library/from-url',
      files: ['lib/backends/from-url.ts'],
      rules: {
        'no-restricted-syntax': ['error', syntax.exportAll, syntax.backendOnDemand, syntax.require],
      },
    },
    ...importTable.map((row) => importRules(root, row)),
    {
      name: 'lane/library/unknown-folder',
      files,
      ignores: importTable.flatMap(({ path }) => [`lib/${path}`, `lib/${path}/**`]),
      rules: {
        'no-restricted-syntax': [
          'error',
          {
            selector: 'Program',
            message: 'This folder has no row in scripts/lint/import-table.mjs. Give it one.',
          },
        ],
      },
    },
  ];
}

/**
 * @param {string} root
 * @param {ImportRow} row
 * @returns {Config}
 */
function importRules(root, { path, mayImport, packages, builtins, because }) {
  const lib = join(root, 'lib');
  const inner = importTable.filter((other) => other.path.startsWith(`${path}/`));
  return {
    name: `lane/library/${path}`,
    files: [`lib/${path}`, `lib/${path}/**`],
    ignores: inner.flatMap((other) => [`lib/${other.path}`, `lib/${other.path}/**`]),
    rules: {
      'import-x/no-restricted-paths': [
        'error',
        {
          basePath: root,
          zones:
            mayImport === 'any'
              ? [{ target: lib, from: join(lib, 'backends/*/driver.ts'), message: because }]
              : [{ target: lib, from: lib, except: [path, ...mayImport], message: because }],
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: packagesOtherThan(packages), message: because },
            ...(builtins === 'any' ? [] : [{ regex: builtinsOtherThan(builtins), message: because }]),
            ...(path === 'backends/from-url.ts' ? [{ regex: '^\\./', message: because }] : []),
            {
              regex: '^\\.{1,2}(?:/\\.\\.)*(?:/index)?$',
              message: 'An index.ts is for those outside its folder. Import the file that has what you need.',
            },
          ],
        },
      ],
    },
  };
}

/** @param {string[]} allowed */
function packagesOtherThan(allowed) {
  const alternatives = ['\\.{1,2}(?:/|$)', 'node:', ...allowed.map((name) => `${name}(?:/|$)`)];
  return `^(?!${alternatives.join('|')})`;
}

/** @param {string[]} allowed */
function builtinsOtherThan(allowed) {
  return `^node:(?!(?:${allowed.join('|')})$)`;
}

const filesOfThePackage = {
  regex: `^${packageName}/(?:dist|lib)(?:/|$)`,
  message: 'Import a published sub-path, not a file inside the package.',
};

/**
 * @param {string} root
 * @returns {Config[]}
 */
function tests(root) {
  const files = ['test/**/*.{ts,cts,mts}'];
  const unit = 'test/unit/**';
  const sample = 'test/sample/**/*.{ts,cts,mts}';
  const bareSleep =
    'A test that lets time pass is slow, and fails on a slow machine. Use waitUntil or a manual clock.';
  const sleepingImport = { regex: '^(?:node:)?timers/promises$', message: bareSleep };
  /**
   * @param {string} name
   * @param {{ files: string[], ignores?: string[] }} where
   * @param {string} folders those that its files do not import from
   * @returns {Config}
   */
  const fromOutside = (name, where, folders) => ({
    name,
    ...where,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            filesOfThePackage,
            sleepingImport,
            {
              regex: `^(?:\\.\\./)+(?:${folders})(?:/|$)`,
              message:
                'Tests outside test/unit see the package as its users do: import a published sub-path.',
            },
          ],
        },
      ],
    },
  });
  return [
    { name: 'lane/tests/jest', files, ...jest.configs['flat/recommended'] },
    {
      name: 'lane/tests',
      files,
      rules: {
        'import-x/no-default-export': 'error',
        'import-x/no-restricted-paths': ['error', { basePath: root, zones: testFolders(root) }],
        // Assertions also stand in test/support and in the conformance cases.
        'jest/expect-expect': 'off',
        'no-restricted-imports': ['error', { patterns: [filesOfThePackage, sleepingImport] }],
        'no-restricted-syntax': [
          'error',
          {
            selector:
              'NewExpression[callee.name="Promise"] CallExpression:matches([callee.name="setTimeout"], [callee.property.name="setTimeout"])',
            message: bareSleep,
          },
          {
            selector: 'CallExpression[callee.name="promisify"] > [name="setTimeout"]',
            message: bareSleep,
          },
        ],
      },
    },
    fromOutside(
      'lane/tests/from-outside',
      { files, ignores: [unit, sample] },
      'build|dist|lib|sample|scripts',
    ),
    // A test may take the module of a sample, as the owner of an application takes theirs.
    fromOutside('lane/tests/sample', { files: [sample] }, 'build|dist|lib|scripts'),
    {
      name: 'lane/tests/support',
      files: ['test/support/**'],
      rules: { 'no-restricted-syntax': 'off' },
    },
  ];
}

/** @param {string} root */
function testFolders(root) {
  const test = join(root, 'test');
  return readdirSync(test, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      target: join(test, name),
      from: test,
      // What the benchmark and the soak judge by is code under test, not a test layer.
      except: [...new Set([name, 'support', ...(name === 'unit' ? ['bench', 'soak'] : [])])],
      message: 'A test layer shares code with another one by way of test/support.',
    }));
}

/** @returns {Config} */
function samples() {
  return {
    name: 'lane/samples',
    files: ['sample/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            filesOfThePackage,
            {
              regex: '^(?:\\.\\./)+(?:build|dist|lib|scripts|test)(?:/|$)',
              message: 'A sample is what a user would write: it imports the package by its name.',
            },
          ],
        },
      ],
    },
  };
}
