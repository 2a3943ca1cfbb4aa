// Writes what package.json and tsconfig.paths.json take from the table of sub-paths.
//
//   node scripts/sync-subpaths.mjs            writes
//   node scripts/sync-subpaths.mjs --check    changes nothing, fails when a file is behind the table

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { builtEntryOf, exportsMap, root, subpaths, typescriptPaths, typesVersions } from './subpaths.mjs';

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
  })),
  update('tsconfig.paths.json', (config) => ({
    ...config,
    compilerOptions: { ...config.compilerOptions, paths: typescriptPaths() },
  })),
].filter((file) => file !== undefined);

if (options.check && behind.length > 0) {
  console.error(`${behind.join(' and ')}: behind scripts/subpaths.json. Run "npm run generate".`);
  process.exitCode = 1;
}

/**
 * @param {string} file
 * @param {(content: Record<string, any>) => Record<string, any>} change
 * @returns the name of the file if it was behind
 */
function update(file, change) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const content = JSON.parse(before);
  const wanted = change(content);
  // Compared as data, since how the text is laid out is the formatter's business.
  if (JSON.stringify(content) === JSON.stringify(wanted)) return undefined;
  if (!options.check) writeFileSync(path, `${JSON.stringify(wanted, null, 2)}\n`);
  return file;
}
