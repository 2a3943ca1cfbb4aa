// Checks docs/internals/protocol-checklist.md against the tests: its rows are numbered without a gap, each names tests,
// and every test that is named is there, once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './subpaths.mjs';
import { testTitles } from './test-titles.mjs';

const TABLE = 'docs/internals/protocol-checklist.md';

/** Lines of the list: nobody may lose one. */
const LINES = 17;

const titles = testTitles().flatMap(({ title, isGroup }) => (isGroup ? [] : title));
const rows = [...readFileSync(join(root, TABLE), 'utf8').matchAll(/^\| *(\d+) *\|(.*)\|$/gm)];

const problems = rows.flatMap(([, number, text], index) => {
  const proofs = [...String(text).matchAll(/“([^”]+)”/g)].map(([, proof]) => String(proof));
  return [
    ...(Number(number) === index + 1 ? [] : [`row ${index + 1} has the number ${number}.`]),
    ...(proofs.length > 0 ? [] : [`row ${number} names no test.`]),
    ...proofs.flatMap((proof) => {
      const found = titles.filter((title) => title === proof).length;
      return found === 1
        ? []
        : `row ${number}: ${found === 0 ? 'no test has' : `${found} tests have`} the title “${proof}”.`;
    }),
  ];
});
if (rows.length !== LINES) problems.push(`there are ${rows.length} rows, not ${LINES}.`);

problems.forEach((problem) => console.error(`${TABLE}: ${problem}`));
process.exitCode = problems.length > 0 ? 1 : 0;
