// Writes what follows from the table of sub-paths and from the entries that it names.
//
//   node scripts/generate.mjs            writes
//   node scripts/generate.mjs --check    changes nothing, fails when a file is behind

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { publicNames } from './public-names.mjs';
import {
  builtEntryOf,
  exportsMap,
  root,
  sideEffects,
  subpaths,
  typescriptPaths,
  typesVersions,
} from './subpaths.mjs';

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const main = subpaths.find(({ subpath }) => subpath === '.');
if (!main) throw new Error('scripts/subpaths.json has no row for ".", the root of the package.');

const behind = [
  update('package.json', (manifest) => ({
    ...manifest,
    main: `./${builtEntryOf(main)}.js`,
    types: `./${builtEntryOf(main)}.d.ts`,
    exports: exportsMap(),
    typesVersions: typesVersions(),
    sideEffects: sideEffects(),
  })),
  update('tsconfig.paths.json', () => ({ compilerOptions: { paths: typescriptPaths() } })),
  update('test/unit/package/public-names.json', publicNames),
].filter((file) => file !== undefined);

if (options.check && behind.length > 0) {
  console.error(`Not up to date: ${behind.join(', ')}. Run "npm run generate" and look at what it changes.`);
  process.exitCode = 1;
}

/**
 * @param {string} file
 * @param {(content: Record<string, unknown>) => Record<string, unknown>} change
 * @returns the name of the file if it was behind
 */
function update(file, change) {
  const path = join(root, file);
  const content = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const wanted = change(content);
  // Compared as data: how the text is laid out is the formatter's business.
  if (JSON.stringify(content) === JSON.stringify(wanted)) return undefined;
  if (!options.check) writeFileSync(path, `${JSON.stringify(wanted, null, 2)}\n`);
  return file;
}
