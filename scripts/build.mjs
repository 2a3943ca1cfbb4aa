// Builds what is stale, and nothing else.
//
//   node scripts/build.mjs lib            dist/: the package
//   node scripts/build.mjs lib sample     and build/sample/: the samples, which import the built package
//   node scripts/build.mjs --force lib    without asking whether it is stale
//
// A build goes to a folder of its own, which takes the place of the last one when it is complete. What it was
// made from and what came out is recorded after that. So a build that was stopped half-way is never taken for
// fresh, nor is one whose files were changed or lost afterwards.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { writeEsmWrappers } from './esm-wrappers.mjs';
import { LuaProblems, updateLuaModule } from './lua/bundle.mjs';
import { root } from './subpaths.mjs';

/**
 * @typedef {object} Target
 * @property {string} output folder that holds the result
 * @property {string} project what `tsc -p` is given
 * @property {string[][]} passes more options for the compiler, which runs once for each list
 * @property {() => void} [prepare] brings inputs that are generated up to date
 * @property {string[]} inputs files and folders whose content decides the result
 * @property {(folder: string) => Promise<void>} complete adds what the compiler does not write
 */

const toolchain = ['scripts/build.mjs', 'tsconfig.base.json', 'package-lock.json'];

/** @type {Map<string, Target>} */
const targets = new Map([
  [
    'lib',
    {
      output: 'dist',
      project: 'tsconfig.build.json',
      // Editors show the comments of declarations. Those of the code are a seventh of what users would download.
      passes: [['--emitDeclarationOnly'], ['--noCheck', '--removeComments', '--declaration', 'false']],
      prepare: bundleLua,
      inputs: [
        ...toolchain,
        'tsconfig.build.json',
        'scripts/esm-wrappers.mjs',
        'scripts/subpaths.mjs',
        'scripts/subpaths.json',
        'lib',
      ],
      complete: writeEsmWrappers,
    },
  ],
  [
    'sample',
    {
      output: 'build/sample',
      project: 'sample',
      passes: [[]],
      inputs: [...toolchain, 'dist', 'sample'],
      complete: copySampleAssets,
    },
  ],
]);

class BuildFailure extends Error {}

try {
  await main();
} catch (error) {
  if (!(error instanceof BuildFailure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const known = [...targets.keys()].join(', ');
  const { values: options, positionals: names } = parseArgs({
    options: { force: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (names.length === 0) throw new BuildFailure(`Name what to build: ${known}.`);

  for (const name of names) {
    const target = targets.get(name);
    if (!target) throw new BuildFailure(`Cannot build "${name}": it is not one of ${known}.`);
    target.prepare?.();
    if (options.force || !isFresh(name, target)) await build(name, target);
  }
}

/**
 * @param {string} name
 * @param {Target} target
 */
function isFresh(name, target) {
  const record = readRecord(name);
  return record?.inputs === fingerprint(target.inputs) && record.output === fingerprint([target.output]);
}

/**
 * @param {string} name
 * @param {Target} target
 */
async function build(name, target) {
  console.log(`Building ${target.output}/`);
  const inputs = fingerprint(target.inputs);
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build', `${name}-`));
  try {
    for (const options of target.passes) compile(target, [...options, '--outDir', folder]);
    await target.complete(folder);
    const output = fingerprint([relative(root, folder)]);
    replaceFolder(join(root, target.output), folder);
    writeFileSync(recordFile(name), JSON.stringify({ inputs, output }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Target} target
 * @param {string[]} options
 */
function compile(target, options) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', target.project, ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new BuildFailure(`${target.output}/ was not built: see the errors above.`);
}

/** The module of the Lua scripts is a source in lib/ like the others. */
function bundleLua() {
  try {
    updateLuaModule();
  } catch (error) {
    if (!(error instanceof LuaProblems)) throw error;
    throw new BuildFailure(error.message);
  }
}

/**
 * Two builds may get here at the same time; the later one wins.
 *
 * @param {string} folder
 * @param {string} replacement
 */
function replaceFolder(folder, replacement) {
  const retired = `${replacement}-retired`;
  for (;;) {
    try {
      rmSync(retired, { recursive: true, force: true });
      ignoring(['ENOENT'], () => renameSync(folder, retired));
      renameSync(replacement, folder);
      rmSync(retired, { recursive: true, force: true });
      return;
    } catch (error) {
      if (!hasCode(error, ['ENOTEMPTY', 'EEXIST'])) throw error;
    }
  }
}

/**
 * One hash over the names and contents of files, wherever their folders stand.
 *
 * @param {string[]} paths files and folders, relative to the root
 */
function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const absolute = join(root, path);
    const files = filesOf(absolute);
    hash.update(`${files.length}\n`);
    for (const file of files) {
      const content = readFileSync(file);
      hash.update(`${relative(absolute, file)}\n${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]} in an order that does not depend on the file system; none if there is no such path
 */
function filesOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @param {string} folder */
async function copySampleAssets(folder) {
  cpSync(join(root, 'sample'), folder, {
    recursive: true,
    filter: (path) => !/\.ts$|tsconfig\.json$/.test(path),
  });
}

/** @param {string} name */
function recordFile(name) {
  return join(root, 'build', `${name}.json`);
}

/**
 * @param {string} name
 * @returns {{ inputs: string, output: string } | undefined}
 */
function readRecord(name) {
  try {
    return JSON.parse(readFileSync(recordFile(name), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} error
 * @param {string[]} codes
 */
function hasCode(error, codes) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/**
 * @param {string[]} codes
 * @param {() => void} action
 */
function ignoring(codes, action) {
  try {
    action();
  } catch (error) {
    if (!hasCode(error, codes)) throw error;
  }
}
