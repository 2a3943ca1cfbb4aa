import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = process.cwd();
const CODE = /readonly code(?:: \w+)? = '(LANE_\w+)'/g;

describe('the reference of error codes', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8');
  const documented = new Set([...page.matchAll(/`(LANE_\w+)`/g)].map((match) => match[1]));
  const thrown = new Set(
    readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(join(ROOT, 'lib', file), 'utf8').matchAll(CODE)])
      .map((match) => match[1]),
  );

  it('lists every code that a class of the package carries', () => {
    expect(thrown.size).toBeGreaterThan(20);
    expect([...thrown].filter((code) => !documented.has(code))).toEqual([]);
  });
});
