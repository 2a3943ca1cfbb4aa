// What the package exports, by sub-path. The record of it, which is committed, makes a name that is new, gone or
// renamed visible in a diff.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { root, specifierOf, subpaths } from './subpaths.mjs';

/** @typedef {{ values: string[], types: string[] }} PublicNames */

/** @returns {Record<string, PublicNames>} */
export function publicNames() {
  return Object.fromEntries(subpaths.map((row) => [specifierOf(row), namesExportedBy(row)]));
}

/**
 * Entries only export by name from other files, so their text tells it all.
 *
 * @param {import('./subpaths.mjs').Subpath} row
 * @returns {PublicNames}
 */
function namesExportedBy({ source, registers }) {
  const text = readFileSync(join(root, source), 'utf8');
  /** @type {PublicNames} */
  const names = { values: [], types: [] };
  for (const statement of ts.createSourceFile(source, text, ts.ScriptTarget.Latest).statements) {
    if (registers && !ts.isExportDeclaration(statement)) continue;
    if (
      !ts.isExportDeclaration(statement) ||
      !statement.exportClause ||
      !ts.isNamedExports(statement.exportClause)
    ) {
      throw new Error(`${source} is an entry of the package: it has nothing but "export { … } from '…'".`);
    }
    for (const { name, isTypeOnly } of statement.exportClause.elements) {
      names[statement.isTypeOnly || isTypeOnly ? 'types' : 'values'].push(name.text);
    }
  }
  names.values.sort();
  names.types.sort();
  return names;
}
