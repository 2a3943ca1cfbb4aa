// Runs the specs of test/integration/nest against the packed package, on the majors of Nest that cannot be installed
// beside the one that this repository develops with. That dist/ is fresh is up to the caller.
//
//   node test/interop/run-nest-majors.mjs             all of them
//   node test/interop/run-nest-majors.mjs nest-10     one
//
// Each major has a folder with exact versions and a lock. It is copied and installed elsewhere, so the tree stays
// clean. What the package resolves there is looked at before anything runs: a run against another version than its
// folder says would prove nothing.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installApplication, packPackage } from '../support/packed-package.mjs';

/** @typedef {import('../support/packed-package.mjs').PackedPackage} PackedPackage */

const here = import.meta.dirname;
const root = join(here, '../..');
const majors = ['nest-10', 'nest-11'];

/** Milliseconds after which a run is taken for one that never ends. */
const longestRun = 300_000;

const { positionals } = parseArgs({ allowPositionals: true });
const workplace = realpathSync(mkdtempSync(join(tmpdir(), 'nest-majors-')));
try {
  const wanted = positionals.length > 0 ? positionals : majors;
  const unknown = wanted.filter((name) => !majors.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}, only ${majors.join(', ')}.`);

  const packed = await packPackage(root, workplace);
  for (const name of wanted) await runSpecs(name, packed);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  if (error.cause instanceof Error) console.error(error.cause.message);
  process.exitCode = 1;
} finally {
  rmSync(workplace, { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {PackedPackage} packed
 */
async function runSpecs(name, packed) {
  const folder = join(workplace, name);
  await installApplication(join(here, name), folder, packed);
  cpSync(join(root, 'test/integration/nest'), join(folder, 'test/integration/nest'), { recursive: true });
  cpSync(join(root, 'test/support'), join(folder, 'test/support'), { recursive: true });
  cpSync(join(here, 'nest-majors.jest.config.cjs'), join(folder, 'jest.config.cjs'));
  console.log(`\n${name}: Nest ${resolvedVersion(folder, packed)}`);

  const jest = join(folder, 'node_modules/jest/bin/jest.js');
  const { status, signal } = spawnSync(process.execPath, [jest, '--ci'], {
    cwd: folder,
    stdio: 'inherit',
    timeout: longestRun,
  });
  if (signal !== null) throw new Error(`The specs did not end on ${name}: something is left open.`);
  if (status !== 0) throw new Error(`The specs failed on ${name}.`);
}

/**
 * The version of Nest that the package itself gets, once it is known to be the one that the folder asks for.
 *
 * @param {string} folder
 * @param {PackedPackage} packed
 */
function resolvedVersion(folder, { manifest }) {
  /** @type {{ dependencies: Record<string, string> }} */
  const { dependencies } = readJson(join(folder, 'package.json'));
  const requireAsPackage = createRequire(createRequire(join(folder, 'package.json')).resolve(manifest.name));
  for (const name of ['@nestjs/common', '@nestjs/core']) {
    /** @type {{ version: string }} */
    const { version } = readJson(requireAsPackage.resolve(`${name}/package.json`));
    if (version !== dependencies[name]) {
      throw new Error(`The package finds ${name} ${version}, not ${dependencies[name]}.`);
    }
  }
  return dependencies['@nestjs/core'];
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
