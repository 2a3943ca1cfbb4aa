// One file of the Lua folder: its syntax tree, its head, and the includes that it declares.

import luaparse from 'luaparse';

import { parseHead } from './parse-head.mjs';

/**
 * @typedef {import('./parse-head.mjs').Head} Head
 */

/**
 * Something that is wrong, and where.
 *
 * @typedef {(line: number, message: string) => void} Report
 */

/**
 * @typedef {object} Source
 * @property {'command' | 'include'} kind
 * @property {string} name path in its folder, without the ending: `add-jobs`, `jobs/store`
 * @property {string} text
 * @property {import('luaparse').Chunk} chunk
 * @property {Head} head
 * @property {{ name: string, line: number }[]} includes as declared
 * @property {Report} report
 */

/**
 * @param {Pick<Source, 'kind' | 'name' | 'text' | 'report'>} file
 * @returns {Source | undefined} nothing if it is not Lua
 */
export function readSource(file) {
  const chunk = parse(file.text, file.report);
  if (!chunk) return undefined;
  const [first, ...others] = chunk.comments ?? [];
  const begins = file.text.startsWith('--[');
  if (!begins || !first) file.report(1, 'The file has to begin with a head: a comment --[[ ... ]].');
  const head = parseHead(file.kind, begins && first ? first.raw : '', file.report);
  return { ...file, chunk, head, includes: includesOf(others, lineOf(chunk.body[0]), file.report) };
}

/** @param {import('luaparse').Node | undefined} node */
export function lineOf(node) {
  return node?.loc?.start.line ?? Infinity;
}

/**
 * @param {string} text
 * @param {Report} report
 */
function parse(text, report) {
  try {
    return luaparse.parse(text, { luaVersion: '5.1', locations: true, ranges: true, comments: true });
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('line' in error)) throw error;
    report(Number(error.line), error.message.replace(/^\[\d+:\d+\] /, ''));
    return undefined;
  }
}

/**
 * @param {import('luaparse').Comment[]} comments
 * @param {number} firstStatement its line
 * @param {Report} report
 */
function includesOf(comments, firstStatement, report) {
  /** @type {{ name: string, line: number }[]} */
  const includes = [];
  for (const comment of comments) {
    const [tag, ...names] = comment.value.trim().split(/\s+/);
    if (tag !== '@include') continue;
    const line = lineOf(comment);
    const [name] = names;
    if (name === undefined || names.length > 1)
      report(line, '@include names one file: -- @include jobs/store');
    else if (line > firstStatement) report(line, `@include ${name} has to stand before the first statement.`);
    else if (includes.some((other) => other.name === name)) report(line, `${name} is included twice.`);
    else includes.push({ name, line });
  }
  return includes;
}
