// Puts the faults of test/mutants into a copy of the library, one at a time, and runs the conformance suite on it:
// every fault has to turn a case red. A list of faults says on which backends the suite runs.
//
//   npm run mutants               all of them
//   npm run mutants -- lease      those whose name or file contains "lease"
//   npm run check:mutants         only whether the texts are there that the faults replace
//
// The copy is compiled once, file by file and without a look at types; a fault compiles one file again. That of a Lua
// file is the module which the Lua files are bundled into.

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

import { bundle, luaModule, LuaProblems, readLuaFiles, updateLuaModule } from './lua/bundle.mjs';
import { packageName, root } from './subpaths.mjs';

/**
 * What a file of test/mutants exports.
 *
 * @typedef {object} MutantList
 * @property {readonly Mutant[]} MUTANTS
 * @property {readonly string[]} BACKENDS names of the harnesses that the faults are visible on
 */

/**
 * @typedef {object} Mutant
 * @property {string} name what the fault does, as a sentence without its subject
 * @property {string} file path from the root of the repository
 * @property {string} find text that the file holds exactly once
 * @property {string} replace
 * @property {string} [area] operation or behaviour whose cases run first, because one of them is the likeliest to fail
 */

/** @typedef {Mutant & { backends: readonly string[] }} ListedMutant */

/**
 * @typedef {object} Result
 * @property {string | undefined} failedCase
 * @property {string} output what else the run said
 */

/** Milliseconds in which a run has to end: a fault may make it hang in a loop that no deadline in it can end. */
const longestRun = 60_000;

const scratch = join(root, 'build/mutants');
const packageCopy = join(scratch, 'node_modules', packageName);
const runner = join(root, 'test/mutants/run-suite.mjs');

class MutantsFailure extends Error {}

try {
  await main();
} catch (error) {
  if (!(error instanceof MutantsFailure || error instanceof LuaProblems)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  if (process.argv[2] === '--check') {
    makeAll(await mutantsOf(''), faultyText);
    return;
  }
  const mutants = await mutantsOf(process.argv[2] ?? '');
  updateLuaModule();
  const faults = makeAll(mutants, (mutant) => ({ ...mutant, ...mutate(mutant) }));
  compileAll();

  const { failedCase, output } = await runSuite(unique(mutants.flatMap(({ backends }) => backends)));
  if (failedCase !== undefined || output !== '') {
    throw new MutantsFailure(`The suite fails without any fault. ${failedCase ?? ''}\n${output}`);
  }
  const survivors = [];
  for (const fault of faults) {
    compile(fault.source, fault.text);
    const result = await runSuite(fault.backends, fault.area);
    compile(fault.source, readFileSync(join(root, fault.source), 'utf8'));
    const isKilled = result.failedCase !== undefined;
    if (!isKilled) survivors.push(fault);
    console.log(`${isKilled ? 'killed  ' : 'SURVIVED'}  ${fault.name}\n          ${describe(result)}`);
  }
  console.log(`\n${mutants.length - survivors.length} of ${mutants.length} faults turn a case red.`);
  if (survivors.length > 0) {
    throw new MutantsFailure('Add a case that fails with each of the others, or correct the fault.');
  }
}

/** @param {string} wanted part of a name or file; all when it is empty */
async function mutantsOf(wanted) {
  const folder = join(root, 'test/mutants');
  const lists = readdirSync(folder).filter((name) => name.endsWith('.mutants.mjs'));
  /** @type {ListedMutant[]} */
  const mutants = [];
  for (const list of lists.sort()) {
    /** @type {MutantList} */
    const { MUTANTS, BACKENDS } = await import(join(folder, list));
    mutants.push(...MUTANTS.map((mutant) => ({ ...mutant, backends: BACKENDS })));
  }
  const chosen = mutants.filter(({ name, file }) => name.includes(wanted) || file.includes(wanted));
  if (chosen.length === 0) throw new MutantsFailure(`No fault has "${wanted}" in its name or file.`);
  return chosen;
}

/**
 * @template Made
 * @param {readonly ListedMutant[]} mutants
 * @param {(mutant: ListedMutant) => Made} make
 * @throws MutantsFailure that tells all that cannot be made
 */
function makeAll(mutants, make) {
  /** @type {Made[]} */
  const made = [];
  /** @type {string[]} */
  const problems = [];
  for (const mutant of mutants) {
    try {
      made.push(make(mutant));
    } catch (error) {
      if (!(error instanceof MutantsFailure)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new MutantsFailure(problems.join('\n'));
  return made;
}

/**
 * The source that has a fault, and its text.
 *
 * @param {Mutant} mutant
 */
function mutate(mutant) {
  const { name, file } = mutant;
  const faulty = faultyText(mutant);
  if (!file.endsWith('.lua')) return { source: file, text: faulty };
  try {
    return { source: luaModule, text: bundle(readLuaFiles().set(file, faulty)) };
  } catch (error) {
    if (!(error instanceof LuaProblems)) throw error;
    throw new MutantsFailure(`"${name}" makes a script that cannot be bundled:\n${error.message}`);
  }
}

/**
 * The text of a file with its fault.
 *
 * @param {Mutant} mutant
 */
function faultyText({ name, file, find, replace }) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.split(find).length - 1;
  if (found !== 1) {
    throw new MutantsFailure(`"${name}" looks for a text that ${file} holds ${found} times: ${find}`);
  }
  return text.replace(find, () => replace);
}

/** @param {string[]} names */
function unique(names) {
  return [...new Set(names)];
}

function compileAll() {
  rmSync(scratch, { recursive: true, force: true });
  for (const file of ['lib', 'test/conformance', 'test/support'].flatMap(filesIn)) {
    if (file.endsWith('.ts')) compile(file, readFileSync(join(root, file), 'utf8'));
    else cpSync(join(root, file), outputOf(file));
  }
  // The rest of it needs no compiler.
  cpSync(join(root, 'test/support'), join(scratch, 'test/support'), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  });
  cpSync(join(root, 'package.json'), join(packageCopy, 'package.json'));
  // A package around the copy, so that the package's name does not lead to the repository itself.
  writeFileSync(join(scratch, 'package.json'), JSON.stringify({ private: true }));
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:d|spec)\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/**
 * @param {string} file path from the root of the repository
 * @param {string} text
 */
function compile(file, text) {
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
    },
  });
  if (diagnostics.length > 0) {
    const reasons = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
    throw new MutantsFailure(`${file} does not compile with its fault: ${reasons.join(' ')}`);
  }
  const output = outputOf(file).replace(/\.ts$/, '.js');
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, outputText);
}

/** @param {string} file path from the root of the repository */
function outputOf(file) {
  return file.startsWith('lib/') ? join(packageCopy, 'dist', file.slice('lib/'.length)) : join(scratch, file);
}

/**
 * @param {readonly string[]} backends
 * @param {string} area whose cases run first
 * @returns {Promise<Result>}
 */
async function runSuite(backends, area = '') {
  const child = spawn(process.execPath, [runner, scratch, area, ...backends], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), longestRun);
  let report = '';
  let output = '';
  child.stdout.on('data', (chunk) => (report += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  // A case that began and did not pass has failed, or hung.
  const lines = report.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  return { failedCase: last.startsWith('began ') ? last.slice('began '.length) : undefined, output };
}

/** @param {Result} result */
function describe({ failedCase, output }) {
  return failedCase ?? (output === '' ? 'no case fails' : output);
}
