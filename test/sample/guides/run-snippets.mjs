// Compiles and runs the examples of the documentation.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

import { compilerOptions, fileOf, readSnippets, sourceOf } from '../../../scripts/snippets.mjs';
import { root } from '../../../scripts/subpaths.mjs';
import { runProgram } from '../../support/run-program.mjs';

/** @typedef {import('../../../scripts/snippets.mjs').Snippet} Snippet */

/** Within the repository, so that the package finds itself by its name. */
const folder = join(root, 'build/guides');

/** How the pages call a server of their reader's. */
const readersRedis = 'redis://127.0.0.1:6379';

/**
 * Runs all snippets, and tells what each of them prints.
 *
 * @param {string} redisUrl the server that they use
 */
export async function runSnippets(redisUrl) {
  const snippets = readSnippets();
  rmSync(folder, { recursive: true, force: true });
  for (const snippet of snippets) compile(snippet, redisUrl);

  const [programs, tests] = await Promise.all([
    runPrograms(snippets.filter((snippet) => !isTest(snippet))),
    Promise.all(snippets.filter(isTest).map(runTest)),
  ]);
  const printed = new Map([...programs, ...tests]);
  return snippets.map((snippet) => ({ ...snippet, printed: printed.get(moduleOf(snippet)) }));
}

/**
 * @param {Snippet} snippet
 * @param {string} redisUrl
 */
function compile(snippet, redisUrl) {
  const source = sourceOf(snippet).replaceAll(readersRedis, redisUrl);
  const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: 'snippet.mts' });
  const file = moduleOf(snippet);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, outputText);
}

/**
 * What each prints, by its module. They share a process, since most of the time goes into loading Nest.
 *
 * @param {Snippet[]} programs
 * @returns {Promise<Iterable<[string, string[]]>>}
 */
async function runPrograms(programs) {
  const result = join(folder, 'printed.json');
  const args = [join(import.meta.dirname, 'run-modules.mjs'), result, ...programs.map(moduleOf)];
  const { stdout, stderr } = await runProgram(process.execPath, args, { cwd: folder });
  if (stdout !== '' || stderr !== '') {
    throw new Error(`The examples print what no example says:\n${stdout}${stderr}`);
  }
  return Object.entries(JSON.parse(readFileSync(result, 'utf8')));
}

/**
 * Its module, with what the runner has to say when it does not pass.
 *
 * @param {Snippet} test
 * @returns {Promise<[string, string[]]>}
 */
async function runTest(test) {
  const file = moduleOf(test);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--no-color', '--root', dirname(file), basename(file)];
  const { status, stdout, stderr } = await runProgram(process.execPath, args, { cwd: folder });
  return [file, status === 0 ? [] : `${stdout}${stderr}`.split('\n')];
}

/** @param {Snippet} snippet */
function isTest({ code }) {
  return code.includes("from 'vitest'");
}

/** @param {Snippet} snippet */
function moduleOf(snippet) {
  return join(folder, `${fileOf(snippet)}${isTest(snippet) ? '.spec' : ''}.mjs`);
}
