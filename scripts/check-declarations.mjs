// Fails when the published types of a sub-path mention a package that its users need not have installed: their
// compiler would report an error inside this package. The allow-list is in subpaths.json.

import { readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

import { declarationsOf, root, specifierOf, subpaths } from './subpaths.mjs';

let refused = 0;
for (const row of subpaths) {
  const allowed = new Set(['node', ...row.declarationsMayImport]);
  for (const [name, files] of packagesMentionedFrom(join(root, declarationsOf(row)))) {
    if (allowed.has(name)) continue;
    refused += 1;
    console.error(`The types of ${specifierOf(row)} mention ${name}, in ${files.join(', ')}.`);
  }
}
if (refused > 0) {
  console.error('Keep these packages out of the public types, or allow them in scripts/subpaths.json.');
  process.exitCode = 1;
}

/**
 * @param {string} entry a declaration file
 * @returns {Map<string, string[]>} packages by name, each with the files that mention it
 */
function packagesMentionedFrom(entry) {
  /** @type {Map<string, string[]>} */
  const packages = new Map();
  const reached = new Set([entry]);
  for (const file of reached) {
    const { importedFiles, referencedFiles, typeReferenceDirectives } = ts.preProcessFile(
      readFileSync(file, 'utf8'),
    );
    for (const { fileName } of referencedFiles) reached.add(join(dirname(file), fileName));
    for (const { fileName: specifier } of [...importedFiles, ...typeReferenceDirectives]) {
      if (specifier.startsWith('.')) {
        reached.add(declarationFile(join(dirname(file), specifier)));
      } else {
        const name = packageOf(specifier);
        packages.set(name, [...(packages.get(name) ?? []), relative(root, file)]);
      }
    }
  }
  return packages;
}

/** @param {string} module path without an extension, or with that of the compiled file */
function declarationFile(module) {
  const stem = module.replace(/\.js$/, '');
  return statSync(stem, { throwIfNoEntry: false })?.isDirectory() ? join(stem, 'index.d.ts') : `${stem}.d.ts`;
}

/** @param {string} specifier */
function packageOf(specifier) {
  if (isBuiltin(specifier)) return 'node';
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
