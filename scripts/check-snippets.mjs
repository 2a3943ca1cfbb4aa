// Fails when a code block of the documentation does not compile against the built package. Specs run the blocks:
// test/sample/guides.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

import { compilerOptions, fileOf, readSnippets, sourceOf } from './snippets.mjs';
import { root } from './subpaths.mjs';

const folder = join(root, 'build/snippets');
rmSync(folder, { recursive: true, force: true });

/** @type {Map<string, import('./snippets.mjs').Snippet>} */
const snippets = new Map();
for (const snippet of readSnippets()) {
  const file = join(folder, `${fileOf(snippet)}.mts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sourceOf(snippet));
  snippets.set(file, snippet);
}

const program = ts.createProgram([...snippets.keys()], { ...compilerOptions, noEmit: true });
for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
  const snippet = file && snippets.get(file.fileName);
  const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
  const place = snippet
    ? `${snippet.page}:${snippet.line + line - (snippet.given.split('\n').length - 1)}`
    : relative(root, file?.fileName ?? '');
  console.error(`${place}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  process.exitCode = 1;
}
