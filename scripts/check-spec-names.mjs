// Fails when a file in test/ looks like a spec but is none for the test runner, which would pass it over in
// silence: a misspelt suffix, a folder without a Jest project.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { root } from './subpaths.mjs';

const namedLikeSpec = /[.\-_](?:specs?|tests?)\.[cm]?[jt]sx?$/i;
const writtenLikeSpec = /^(?:describe|it|test)(?:\.\w+)*\(/m;

const jest = join(root, 'node_modules/jest/bin/jest.js');
const specs = new Set(
  execFileSync(process.execPath, [jest, '--listTests'], { cwd: root, encoding: 'utf8' }).split('\n'),
);

const passedOver = sourceFilesIn(join(root, 'test')).filter(
  (file) => !specs.has(file) && looksLikeSpec(file),
);
for (const file of passedOver) {
  console.error(`${relative(root, file)} looks like a spec, but no test layer runs it.`);
}
if (passedOver.length > 0) {
  console.error('A spec is test/<layer>/**/*.spec.ts, with a layer that jest.config.mjs has.');
  process.exitCode = 1;
}

/** @param {string} file */
function looksLikeSpec(file) {
  return namedLikeSpec.test(file) || writtenLikeSpec.test(readFileSync(file, 'utf8'));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourceFilesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name === 'node_modules' || entry.name === 'fixtures' ? [] : sourceFilesIn(path);
    }
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}
