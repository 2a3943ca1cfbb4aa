import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { publicNames } from '../../../scripts/public-names.mjs';
import { isModuleOnly, specifierOf, subpaths } from '../../../scripts/subpaths.mjs';

/** The names on record. "npm run generate" records a change that is meant. */
const recorded = JSON.parse(
  readFileSync(join(process.cwd(), 'test/unit/package/public-names.json'), 'utf8'),
) as ReturnType<typeof publicNames>;

const MARKED_PUBLIC =
  /@public\s*\*\/\n(?:@\w+.*\n)?export (?:abstract |async )?(?:class|const|enum|function|interface|type) (\w+)/g;
const ERROR_CLASS = /export (?:abstract )?class (\w+Error) /g;

/** Whatever a pattern names in the sources of a folder. */
function namesIn(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(process.cwd(), folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(process.cwd(), folder, file), 'utf8').matchAll(pattern)])
    .map((match) => match[1]!);
}

describe('The public names', () => {
  it('NA-13-12 are those on record', () => {
    expect(publicNames()).toEqual(recorded);
  });

  it('include whatever is marked as public', () => {
    const exported = Object.values(recorded).flatMap(({ values, types }) => [...values, ...types]);
    const marked = namesIn('lib', MARKED_PUBLIC);

    expect(marked.length).toBeGreaterThan(100);
    expect(marked.filter((name) => !exported.includes(name))).toEqual([]);
  });

  it.each(['nestjs-lane', 'nestjs-lane/engine'])('of %s include every error that it may throw', (entry) => {
    // Calls are numbered by the engine, so nobody but an author of backends meets a stale one.
    const thrown = namesIn('lib/model/errors', ERROR_CLASS).filter((name) => name !== 'StaleCallError');

    expect(thrown.length).toBeGreaterThan(20);
    expect(thrown.filter((name) => !recorded[entry]!.values.includes(name))).toEqual([]);
  });

  // Vitest does not load in Jest.
  it.each(subpaths.filter((row) => !isModuleOnly(row)).map(specifierOf))(
    'of %s are there when it is imported',
    async (specifier) => {
      const entry = (await import(specifier)) as object;
      expect(Object.keys(entry).sort()).toEqual(recorded[specifier]?.values);
    },
  );
});
