import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { publicNames } from '../../../scripts/public-names.mjs';
import { specifierOf, subpaths } from '../../../scripts/subpaths.mjs';

/** The names on record. "npm run generate" records a change that is meant. */
const recorded = JSON.parse(
  readFileSync(join(process.cwd(), 'test/unit/package/public-names.json'), 'utf8'),
) as ReturnType<typeof publicNames>;

describe('The public names', () => {
  it('are those on record', () => {
    expect(publicNames()).toEqual(recorded);
  });

  it.each(subpaths.map(specifierOf))('of %s are there when it is imported', async (specifier) => {
    const entry = (await import(specifier)) as object;
    expect(Object.keys(entry).sort()).toEqual(recorded[specifier]?.values);
  });
});
