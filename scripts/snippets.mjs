// The code blocks of the documentation, for the check of their types and for the specs that run them.
//
// Every ```ts block of a page stands for itself. What its reader can do without stands in comments around it:
// <!-- given: … --> above, such as imports and what the page showed before, and <!-- then: … --> below, which puts to
// use what the block only declares. What all of it prints follows as <!-- prints: … -->, or as a ```text block where
// the reader should see it.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { root } from './subpaths.mjs';

/**
 * @typedef {object} Snippet a code block, with what stands around it
 * @property {string} page the path of its page, relative to the root of the repository
 * @property {number} line that of its first line in the page
 * @property {string} given
 * @property {string} code
 * @property {string} then
 * @property {string[]} prints lines
 */

const BLOCK = new RegExp(
  [
    /(?:<!-- given:\n(?<given>[\s\S]*?)-->\n+)?/,
    /```ts\n(?<code>[\s\S]*?)```\n/,
    /(?:\n*<!-- then:\n(?<then>[\s\S]*?)-->\n)?/,
    /(?:\n*(?:<!-- prints:|```text)\n(?<prints>[\s\S]*?)(?:-->|```)\n)?/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
);

/** What only looks like a part of a snippet, since it does not stand right where such a part belongs. */
const STRAY = /^(?:<!-- (?:given|then|prints):|```(?:[cm]?[jt]sx?|typescript|javascript)\b).*/m;

/** Compiler options for the files that snippets become: as users with decorators have them. */
export const compilerOptions = ts.parseJsonConfigFileContent(
  { extends: './tsconfig.base.json', compilerOptions: { emitDecoratorMetadata: true }, files: [] },
  ts.sys,
  root,
).options;

/**
 * All snippets, page by page.
 *
 * @returns {Snippet[]}
 */
export function readSnippets() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  });
  const pages = files.split('\n').filter((page) => page !== '');
  const snippets = pages.flatMap(snippetsOf);
  if (snippets.length === 0) {
    throw new Error('There are no code blocks, so the search for them must be wrong.');
  }
  return snippets;
}

/**
 * The whole of it, as a module of TypeScript.
 *
 * @param {Snippet} snippet
 */
export function sourceOf({ given, code, then }) {
  return `${given}${code}${then}\nexport {};\n`;
}

/**
 * Where its module belongs, without the extension.
 *
 * @param {Snippet} snippet
 */
export function fileOf({ page, line }) {
  return `${page.replaceAll(/[^a-z0-9]+/gi, '-')}/line-${line}`;
}

/**
 * @param {string} page
 * @returns {Snippet[]}
 */
function snippetsOf(page) {
  const text = readFileSync(join(root, page), 'utf8');
  const [stray] = STRAY.exec(text.replaceAll(BLOCK, '')) ?? [];
  if (stray !== undefined) {
    throw new Error(`${page}: nobody reads "${stray}". See scripts/snippets.mjs for what belongs where.`);
  }
  return [...text.matchAll(BLOCK)].map((match) => {
    const { given = '', code = '', then = '', prints = '' } = match.groups ?? {};
    const codeAt = match.index + match[0].indexOf('```ts\n');
    const line = text.slice(0, codeAt).split('\n').length + 1;
    return { page, line, given, code, then, prints: prints.split('\n').slice(0, -1) };
  });
}
