// Checks docs/internals/protocol-checklist.md against the tests: its rows are numbered without a gap, each names tests,
// and every test that is named is there, once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './subpaths.mjs';
import { proofReader } from './test-titles.mjs';

const TABLE = 'docs/internals/protocol-checklist.md';

/** Lines of the list: nobody may lose one. */
const LINES = 17;

const readProofs = proofReader();
const rows = [...readFileSync(join(root, TABLE), 'utf8').matchAll(/^\| *(\d+) *\|(.*)\|$/gm)];

const problems = rows.flatMap(([, number, text], index) => {
  const proofs = readProofs(String(text));
  return [
    ...(Number(number) === index + 1 ? [] : [`row ${index + 1} has the number ${number}.`]),
    ...(proofs.count > 0 ? [] : [`row ${number} names no test.`]),
    ...proofs.problems.map((problem) => `row ${number}: ${problem}`),
  ];
});
if (rows.length !== LINES) problems.push(`there are ${rows.length} rows, not ${LINES}.`);

problems.forEach((problem) => console.error(`${TABLE}: ${problem}`));
process.exitCode = problems.length > 0 ? 1 : 0;
