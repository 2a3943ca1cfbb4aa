// The ESLint configuration, as a function of the folder it is for: its spec applies it to made-up projects.

import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import jest from 'eslint-plugin-jest';
import tsdoc from 'eslint-plugin-tsdoc';
import { defineConfig, globalIgnores } from 'eslint/config';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

import { packageName } from '../subpaths.mjs';
import { importTable } from './import-table.mjs';

/** @typedef {import('./import-table.mjs').ImportRow} ImportRow */
/** @typedef {import('eslint').Linter.Config} Config */

/** @param {string} root */
export function lintConfig(root) {
  return defineConfig(
    globalIgnores(['build/', 'dist/', '**/fixtures/']),
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
        eqeqeq: 'error',
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
    tests(),
    samples(),
    { name: 'lane/configuration', files: ['*.config.mjs'], rules: { 'import-x/no-default-export': 'off' } },
  );
}

/**
 * @param {string} root
 * @returns {Config[]}
 */
function library(root) {
  const files = ['lib/**/*.ts'];
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
      message: "Only a backend's driver.ts loads a package with require. Use import.",
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
      files: ['lib/backends/*/driver.ts'],
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
    ignores: inner.map((other) => `lib/${other.path}/**`),
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

const builtFiles = {
  regex: `^${packageName}/(?:dist|lib)(?:/|$)`,
  message: 'Import a published sub-path, not a file inside the package.',
};

/** @returns {Config[]} */
function tests() {
  const files = ['test/**/*.{ts,mts}'];
  const sleep = 'Waiting for time to pass makes a slow and unreliable test. Use waitUntil or a manual clock.';
  return [
    { name: 'lane/tests', files, ...jest.configs['flat/recommended'] },
    {
      name: 'lane/tests/rules',
      files,
      rules: {
        // Assertions also come from test/support and from the conformance cases.
        'jest/expect-expect': 'off',
        'no-restricted-imports': [
          'error',
          {
            patterns: [builtFiles, { regex: '^(?:node:)?timers/promises$', message: sleep }],
          },
        ],
        'no-restricted-syntax': [
          'error',
          {
            selector: 'NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]',
            message: sleep,
          },
          {
            selector:
              'NewExpression[callee.name="Promise"] CallExpression[callee.property.name="setTimeout"]',
            message: sleep,
          },
          {
            selector: 'CallExpression[callee.name="promisify"] > Identifier[name="setTimeout"]',
            message: sleep,
          },
        ],
      },
    },
  ];
}

/** @returns {Config[]} */
function samples() {
  return [
    {
      name: 'lane/samples',
      files: ['sample/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              builtFiles,
              {
                regex: '^(?:\\.\\./)+(?:build|dist|lib|scripts|test)(?:/|$)',
                message: 'A sample is what a user would write: it imports the package by its name.',
              },
            ],
          },
        ],
      },
    },
  ];
}
