// Fails when a code block of the documentation does not compile against the built package.
//
// Every ```ts block of a page stands for itself. What the reader can do without, such as the imports and the
// declarations that the page showed before, goes into a comment right above the block: <!-- given: … -->

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { execFileSync } from 'node:child_process';
import ts from 'typescript';

import { root } from './subpaths.mjs';

const BLOCK = /(?:<!-- given:\n(?<given>[\s\S]*?)-->\n+)?```ts\n(?<code>[\s\S]*?)```/g;

const folder = join(root, 'build/snippets');
rmSync(folder, { recursive: true, force: true });

/** @type {Map<string, { page: string, firstLine: number, hidden: number }>} */
const snippets = new Map();
for (const page of pages()) {
  const text = readFileSync(join(root, page), 'utf8');
  for (const match of text.matchAll(BLOCK)) {
    const { given = '', code = '' } = match.groups ?? {};
    const codeAt = match.index + match[0].indexOf('```ts\n');
    const firstLine = text.slice(0, codeAt).split('\n').length + 1;
    const file = join(folder, page.replaceAll(/[^a-z0-9]+/gi, '-'), `line-${firstLine}.mts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${given}${code}\nexport {};\n`);
    snippets.set(file, { page, firstLine, hidden: given.split('\n').length - 1 });
  }
}
if (snippets.size === 0) {
  console.error('There are no code blocks to check, so the search for them must be wrong.');
  process.exitCode = 1;
}

const { options } = ts.parseJsonConfigFileContent(
  {
    extends: './tsconfig.base.json',
    compilerOptions: { noEmit: true, emitDecoratorMetadata: true },
    files: [...snippets.keys()],
  },
  ts.sys,
  root,
);
const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...snippets.keys()], options));
for (const { file, start = 0, messageText } of diagnostics) {
  const snippet = file && snippets.get(file.fileName);
  const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) - (snippet?.hidden ?? 0);
  const place = snippet
    ? `${snippet.page}:${snippet.firstLine + line}`
    : relative(root, file?.fileName ?? '');
  console.error(`${place}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  process.exitCode = 1;
}

function pages() {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((page) => page !== '');
}
