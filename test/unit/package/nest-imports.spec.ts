import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';

/** What is imported from inside a package of Nest, by file. */
function deepImports(): { file: string; specifier: string }[] {
  return readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(join('lib', file), 'utf8').matchAll(/from '(@nestjs\/[^/']+\/[^']+)'/g)].map(
        ([, specifier]) => ({ file: file.replaceAll('\\', '/'), specifier: specifier! }),
      ),
    );
}

it('NA-13-15 reach into Nest only in the folder for it, for what has an extension', () => {
  const found = deepImports();
  expect(found).not.toEqual([]);
  for (const { file, specifier } of found) {
    expect(file).toMatch(/^nest\/nest-internals\//);
    expect(specifier).toMatch(/\.js$/);
  }
});
