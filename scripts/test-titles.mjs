// The titles of all tests and conformance cases, as they stand in the sources.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { root } from './subpaths.mjs';

/**
 * @typedef {object} TestTitle
 * @property {string} title
 * @property {boolean} isGroup that of a `describe`, which proves nothing by itself
 * @property {string} file relative to the root
 */

/** @returns {TestTitle[]} */
export function testTitles() {
  return ['lib/testing/conformance', 'test'].flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => /\.(cases|spec)\.ts$/.test(name) && !/(^|[\\/])fixtures[\\/]/.test(name))
      .flatMap((name) => titlesIn(`${folder}/${name.replaceAll('\\', '/')}`));
  });
}

/**
 * Reads which tests a page names, in “such quotes”.
 *
 * @returns {(text: string) => { count: number, problems: string[] }} how many a text names, and which of them are not one
 * test
 */
export function proofReader() {
  /** @type {Map<string, number>} */
  const tests = new Map();
  for (const { title, isGroup } of testTitles()) {
    if (!isGroup) tests.set(title, (tests.get(title) ?? 0) + 1);
  }
  return (text) => {
    const proofs = [...text.matchAll(/“([^”]+)”/g)].map(([, proof]) => String(proof));
    const problems = proofs.flatMap((proof) => {
      const found = tests.get(proof) ?? 0;
      if (found === 1) return [];
      return `${found === 0 ? 'no test has' : `${found} tests have`} the title “${proof}”.`;
    });
    return { count: proofs.length, problems };
  };
}

/**
 * @param {string} file
 * @returns {TestTitle[]}
 */
function titlesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  /** Functions of the file that make a test, whose title they are given first. */
  const makers = source.statements
    .filter((each) => ts.isFunctionDeclaration(each))
    .filter(({ parameters: [first] }) => first && ts.isIdentifier(first.name) && first.name.text === 'title')
    .map(({ name }) => name?.text);
  /** @type {TestTitle[]} */
  const titles = [];

  /** @param {ts.Expression | undefined} expression @param {boolean} isGroup */
  const take = (expression, isGroup) => {
    const title = textOf(expression);
    if (title !== undefined) titles.push({ title, isGroup, file });
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'title') {
      take(node.initializer, false);
    } else if (ts.isCallExpression(node)) {
      const name = calledName(node.expression);
      if (name === 'it' || name === 'test' || name === 'describe' || makers.includes(name)) {
        take(node.arguments[0], name === 'describe');
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/**
 * @param {ts.Expression} called `it`, `it.only`, or `it.each(table)`
 * @returns {string | undefined}
 */
function calledName(called) {
  if (ts.isIdentifier(called)) return called.text;
  if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) {
    return calledName(called.expression);
  }
  return undefined;
}

/**
 * @param {ts.Expression | undefined} expression
 * @returns {string | undefined} a text that is one in the source too
 */
function textOf(expression) {
  if (expression === undefined) return undefined;
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(expression.left), textOf(expression.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}
