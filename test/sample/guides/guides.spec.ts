import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import ts from 'typescript';

import { compilerOptions, fileOf, readSnippets, sourceOf, type Snippet } from '../../../scripts/snippets.mjs';
import { RedisServer } from '../../support/redis/redis-server.mjs';
import { runProgram } from '../../support/run-program.mjs';

jest.setTimeout(120_000);

/** Within the repository, so that the package finds itself by its name. */
const folder = join(process.cwd(), 'build/guides');

/** How the pages call a server of their reader's. */
const readersRedis = 'redis://127.0.0.1:6379';

const snippets = readSnippets();

// A server of their own, since the pages call their queues as readers would.
let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
  rmSync(folder, { recursive: true, force: true });
  for (const snippet of snippets) compile(snippet);
});
afterAll(() => redis.stop());

it.each([...new Set(snippets.map(({ page }) => page))])('the examples of %s run', async (page) => {
  const ofPage = snippets.filter((snippet) => snippet.page === page);
  const programs = ofPage.filter((snippet) => runnerOf(snippet) === undefined);
  const printed = await runPrograms(programs);
  for (const snippet of ofPage.filter((each) => !programs.includes(each))) {
    printed[basename(fileOf(snippet))] = await runTests(snippet);
  }
  expect(printed).toEqual(
    Object.fromEntries(ofPage.map((snippet) => [basename(fileOf(snippet)), snippet.prints])),
  );
});

function compile(snippet: Snippet): void {
  const { outputText } = ts.transpileModule(sourceOf(snippet).replaceAll(readersRedis, redis.url), {
    compilerOptions,
    fileName: 'snippet.mts',
  });
  const file = moduleOf(snippet);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, outputText);
}

function moduleOf(snippet: Snippet): string {
  return join(folder, `${fileOf(snippet)}.mjs`);
}

/** What each of them prints, by its name. */
async function runPrograms(programs: Snippet[]): Promise<Record<string, string[]>> {
  const args = [join(process.cwd(), 'test/sample/guides/run-page.mjs'), ...programs.map(moduleOf)];
  const { status, stdout, stderr } = await runProgram(process.execPath, args, { cwd: folder });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, string[]>;
}

/** The arguments of Node that run a module as a spec, where it is one. */
function runnerOf(snippet: Snippet): string[] | undefined {
  const packages = join(process.cwd(), 'node_modules');
  const root = dirname(moduleOf(snippet));
  if (snippet.code.includes("from 'vitest'")) {
    const include = `${basename(fileOf(snippet))}.mjs`;
    return [join(packages, 'vitest/vitest.mjs'), 'run', '--root', root, '--include', include];
  }
  if (snippet.code.includes("from '@jest/globals'")) {
    const config = JSON.stringify({ rootDir: root, testMatch: [moduleOf(snippet)], transform: {} });
    return ['--experimental-vm-modules', join(packages, 'jest/bin/jest.js'), '--config', config];
  }
  return undefined;
}

/** What the runner has to say about a spec that does not pass. */
async function runTests(snippet: Snippet): Promise<string[]> {
  const { status, stdout, stderr } = await runProgram(process.execPath, runnerOf(snippet) ?? [], {
    cwd: folder,
  });
  return status === 0 ? [] : `${stdout}${stderr}`.split('\n');
}
