import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = process.cwd();
/** A class has `readonly code = 'LANE_…'`, a problem of a configuration `code: 'LANE_…'`; a warning is given its code. */
const CODE = /(?:\bcode(?:: \w+)?\s*[=:]|#warn\()\s*'(LANE_\w+)'/g;

describe('the reference of error codes', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8');
  const documented = new Set([...page.matchAll(/`(LANE_\w+)`/g)].map((match) => match[1]));
  const thrown = new Set(
    readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(join(ROOT, 'lib', file), 'utf8').matchAll(CODE)])
      .map((match) => match[1]),
  );

  it('NA-11-21 lists every code of an error, of a problem of a configuration, or of a warning', () => {
    expect(thrown).toContain('LANE_BAD_NAME');
    expect(thrown).toContain('LANE_QUEUE_UNKNOWN');
    expect(thrown).toContain('LANE_CLOCK_SKEW');
    expect(thrown).toContain('LANE_TYPE_METADATA');
    expect([...thrown].filter((code) => !documented.has(code))).toEqual([]);
  });

  it('NA-11-21 lists no code that there is not', () => {
    expect([...documented].filter((code) => !thrown.has(code))).toEqual([]);
  });
});
