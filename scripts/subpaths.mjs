// The table of sub-paths (subpaths.json) and everything that is derived from it: the `exports` map and
// `typesVersions` of package.json, the `paths` of tsconfig.paths.json and the module mapping of Jest.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Subpath
 * @property {string} subpath key in the `exports` map: `.` or `./engine`
 * @property {string} source the entry file, relative to the root of the repository; `.mts` for what is an ES module
 *   only
 * @property {string[]} declarationsMayImport packages that the published types of this entry may mention,
 *   besides Node's own modules
 * @property {true} [registers] it exports nothing: it tells a test runner something, and loads nowhere else
 */

export const root = join(import.meta.dirname, '..');

export const packageName = 'nestjs-lane';

/** @type {Subpath[]} */
export const subpaths = JSON.parse(readFileSync(join(root, 'scripts/subpaths.json'), 'utf8'));

/**
 * What users write: `nestjs-lane/engine`.
 *
 * @param {Subpath} row
 */
export function specifierOf({ subpath }) {
  return packageName + subpath.slice(1);
}

/**
 * The built entry without its extension, relative to the root: `dist/engine/index`.
 *
 * @param {Subpath} row
 */
export function builtEntryOf({ source }) {
  return source.replace(/^lib\//, 'dist/').replace(/\.m?ts$/, '');
}

/**
 * Whether the entry is an ES module only, which has no wrapper.
 *
 * @param {Subpath} row
 */
export function isModuleOnly({ source }) {
  return source.endsWith('.mts');
}

/**
 * The declarations of the entry, relative to the root: `dist/engine/index.d.ts`.
 *
 * @param {Subpath} row
 */
export function declarationsOf(row) {
  return `${builtEntryOf(row)}.d.${isModuleOnly(row) ? 'mts' : 'ts'}`;
}

export function exportsMap() {
  return {
    ...Object.fromEntries(
      subpaths.map((row) => {
        const entry = `./${builtEntryOf(row)}`;
        return [
          row.subpath,
          isModuleOnly(row)
            ? { types: `${entry}.d.mts`, default: `${entry}.mjs` }
            : {
                import: { types: `${entry}.d.mts`, default: `${entry}.mjs` },
                require: { types: `${entry}.d.ts`, default: `${entry}.js` },
              },
        ];
      }),
    ),
    './package.json': './package.json',
  };
}

/** For projects on classic module resolution, which ignore `exports`. */
export function typesVersions() {
  return {
    '*': Object.fromEntries(
      subpaths
        .filter(({ subpath }) => subpath !== '.')
        .map((row) => [row.subpath.slice(2), [declarationsOf(row)]]),
    ),
  };
}

/** The files that a bundler must keep although nothing is taken from them. */
export function sideEffects() {
  return subpaths
    .filter(({ registers }) => registers)
    .flatMap((row) =>
      (isModuleOnly(row) ? ['mjs'] : ['js', 'mjs']).map((ext) => `./${builtEntryOf(row)}.${ext}`),
    );
}

export function typescriptPaths() {
  return Object.fromEntries(subpaths.map((row) => [specifierOf(row), [`./${row.source}`]]));
}

/** The package's own name leads Jest to the sources. */
export function jestModuleNameMapper() {
  return Object.fromEntries(subpaths.map((row) => [`^${specifierOf(row)}$`, `<rootDir>/${row.source}`]));
}
