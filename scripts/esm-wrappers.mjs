// The package is one CommonJS implementation. For `import` each entry gets a thin ES module which exports the
// same values by name, so that a class is the same class whichever way the package was loaded.

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { builtEntryOf, isModuleOnly, subpaths } from './subpaths.mjs';

const require = createRequire(import.meta.url);

/** @param {string} folder what `dist` is going to be */
export async function writeEsmWrappers(folder) {
  for (const row of subpaths) {
    if (isModuleOnly(row)) continue;
    const entry = join(folder, relative('dist', builtEntryOf(row)));
    /** @type {Record<string, unknown>} */
    const implementation = row.registers ? {} : require(`${entry}.js`);
    const names = Object.keys(implementation).sort();
    const from = `./${basename(entry)}.js`;

    writeFileSync(
      `${entry}.mjs`,
      `export {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`,
    );
    // The declarations have more names than the values, so the types are passed on as a whole.
    writeFileSync(`${entry}.d.mts`, `export * from '${from}';\n`);

    if (!row.registers) await verify(`${entry}.mjs`, names, implementation);
  }
}

/**
 * Node finds the names of a CommonJS module by reading its text. What it cannot see there would be missing
 * for whoever imports it, so the wrapper is loaded as a user would load it.
 *
 * @param {string} wrapper
 * @param {string[]} names
 * @param {Record<string, unknown>} implementation
 */
async function verify(wrapper, names, implementation) {
  /** @type {Record<string, unknown>} */
  const imported = await import(pathToFileURL(wrapper).href);
  const different = names.filter((name) => imported[name] !== implementation[name]);
  if (different.length > 0) {
    throw new Error(`${wrapper} does not export what its implementation does: ${different.join(', ')}.`);
  }
}
