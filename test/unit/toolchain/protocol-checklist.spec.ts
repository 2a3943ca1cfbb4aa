import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ScratchRepository } from './scratch-repository';

const PAGE = 'docs/internals/protocol-checklist.md';

let repository: ScratchRepository;

beforeAll(() => {
  repository = new ScratchRepository({
    'lib/testing/conformance/cases/add.cases.ts': 'export const CASES = [{ title: \'adds "it"\' }];\n',
    'test/unit/queue.spec.ts':
      "describe('a queue', () => {\n  it.each([1])('pauses %p', () => {});\n  it('is twice', () => {});\n});\n",
    'test/unit/other.spec.ts': "it('is twice', () => {});\n",
  });
});

afterAll(() => repository.dispose());

/** Checks a page of 17 rows, some of which say something in particular. */
function check(rows: Record<number, string> = {}): { status: number | null; output: string } {
  const lines = Array.from(
    { length: 17 },
    (_, at) => rows[at + 1] ?? `| ${at + 1} | do it | so | “pauses %p” |`,
  );
  repository.write(PAGE, `# A page\n\n| No. | What |\n| --- | --- |\n${lines.join('\n')}\n`);
  return repository.node('scripts/check-protocol.mjs');
}

describe('scripts/check-protocol.mjs', () => {
  it('accepts a page whose rows all name tests', () => {
    expect(check({ 3: '| 3 | add | | “adds "it"”, “pauses %p” |' })).toEqual({ status: 0, output: '' });
  });

  it('finds rows without a test, tests that are not there, and rows that are missing', () => {
    const { status, output } = check({
      1: '| 1 | trust | | |',
      2: '| 2 | guess | | “a queue”, “is twice” |',
      5: '',
    });

    expect(status).toBe(1);
    for (const problem of [
      'row 1 names no test.',
      'row 2: no test has the title “a queue”.',
      'row 2: 2 tests have the title “is twice”.',
      'row 5 has the number 6.',
      'there are 16 rows, not 17.',
    ]) {
      expect(output).toContain(`${PAGE}: ${problem}\n`);
    }
  });
});
