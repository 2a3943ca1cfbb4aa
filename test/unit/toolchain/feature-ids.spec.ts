import { readFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ScratchRepository } from './scratch-repository';

// Each test starts a script.
jest.setTimeout(60_000);

const PAGE = 'docs/internals/feature-ids.md';

let repository: ScratchRepository;

beforeEach(() => {
  const page = readFileSync(PAGE, 'utf8');
  const shown = [...page.matchAll(/^\| (\S+) \|[^|]*\| (?:shown|in part)/gm)].map(([, number]) => number);
  repository = new ScratchRepository({
    [PAGE]: page,
    'lib/testing/conformance/cases/all.cases.ts': `export const CASES = [{ title: '${shown.join(' ')} hold' }];\n`,
    'test/unit/some.spec.ts': "describe('T-B05 JOB-05 a group', () => {});\n",
  });
});

afterEach(() => repository.dispose());

const check = () => repository.node('scripts/check-feature-ids.mjs');

/** Changes a row of the page. */
function change(number: string, row: string): void {
  const page = repository.read(PAGE);
  expect(page).toContain(`| ${number} |`);
  repository.write(PAGE, page.replace(new RegExp(`^\\| ${number} .*\\n`, 'm'), row));
}

describe('scripts/check-feature-ids.mjs', () => {
  it('accepts the page with tests of all that it says is shown', () => {
    expect(check()).toEqual({ status: 0, output: '' });
  });

  it('finds numbers without a row, and rows that say what is not so', () => {
    change('JOB-05', '');
    change('JOB-11', '| JOB-11 | what | not here: nobody wants it |\n');
    change('JOB-12', '| JOB-12 | what | in part |\n');
    change('JOB-15', '| JOB-15 | what | perhaps |\n');
    change('JOB-17', '| JOB-17 | what | shown |\n');
    change('JOB-31', '| JOB-31 | what | not here |\n| JOB-31 | what | not here: later |\n');
    change('T-B08', '| T-B08 | what | not here: later |\n| T-B99 | what | not here: later |\n');
    repository.write('test/unit/other.spec.ts', "it('JOB-45 T-B60 is new', () => {});\n");

    const { status, output } = check();
    expect(status).toBe(1);
    expect(output.trim().split('\n').sort()).toEqual(
      [
        'JOB-05 has no row.',
        'JOB-11 is said not to be here, and stands in the title of a test.',
        'JOB-12 does not say why.',
        'JOB-15: "perhaps" begins with none of shown, in part and not here.',
        'JOB-17 is said to be shown, and stands in no title of a test.',
        'JOB-31 does not say why.',
        'JOB-31 has more than one row.',
        'T-B99 is none of the numbers that this script knows.',
        'JOB-45 has no row.',
        'T-B60 has no row.',
      ]
        .map((problem) => `${PAGE}: ${problem}`)
        .sort(),
    );
  });
});
