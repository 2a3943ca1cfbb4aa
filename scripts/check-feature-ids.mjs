// Holds docs/internals/feature-ids.md and the titles of tests together: every number has its row, and a row says of its
// number what is true of the titles.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './subpaths.mjs';
import { testTitles } from './test-titles.mjs';

const PAGE = 'docs/internals/feature-ids.md';

/** How far each family of numbers goes, from 1. */
const FAMILIES = new Map([
  ['JOB', 44],
  ['MGMT', 40],
  ['LIM', 16],
  ['STORE', 25],
]);

/** Situations of which there have to be rows; others have one if a test has their number. */
const TRAPS = [
  1, 2, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16, 17, 19, 21, 22, 24, 26, 29, 30, 32, 52, 54, 56, 57, 59,
];

const NUMBER = /\b(?:JOB|MGMT|LIM|STORE)-\d+\b|\bT-B\d+\b/g;

const numbered = new Set(testTitles().flatMap(({ title }) => title.match(NUMBER) ?? []));
const wanted = new Set([
  ...[...FAMILIES].flatMap(([family, count]) =>
    Array.from({ length: count }, (_, index) => `${family}-${twoDigits(index + 1)}`),
  ),
  ...TRAPS.map((trap) => `T-B${twoDigits(trap)}`),
]);

const problems = check();
problems.forEach((problem) => console.error(`${PAGE}: ${problem}`));
process.exitCode = problems.length > 0 ? 1 : 0;

/** @returns {string[]} */
function check() {
  const problems = [];
  /** @type {Set<string>} */
  const listed = new Set();
  for (const [number, verdict] of rows()) {
    const isShown = numbered.has(number);
    const [, word, reason = ''] = /^(shown|in part|not here)(?:: (.+))?$/.exec(verdict) ?? [];
    if (listed.has(number)) problems.push(`${number} has more than one row.`);
    listed.add(number);
    if (!wanted.has(number) && !(isShown && number.startsWith('T-B'))) {
      problems.push(`${number} is none of the numbers that this script knows.`);
    }
    if (word === undefined) {
      problems.push(`${number}: "${verdict}" begins with none of shown, in part and not here.`);
    } else if (word === 'not here') {
      if (isShown) problems.push(`${number} is said not to be here, and stands in the title of a test.`);
    } else if (!isShown) {
      problems.push(`${number} is said to be shown, and stands in no title of a test.`);
    }
    if (word !== undefined && (word === 'shown') !== (reason === '')) {
      problems.push(word === 'shown' ? `${number} is shown, and says more.` : `${number} does not say why.`);
    }
  }
  for (const number of new Set([...wanted, ...numbered])) {
    if (!listed.has(number)) problems.push(`${number} has no row.`);
  }
  return problems;
}

/** @returns {(readonly [number: string, verdict: string])[]} */
function rows() {
  return [
    ...readFileSync(join(root, PAGE), 'utf8').matchAll(/^\| ([A-Z][-A-Z]*\d+) *\|[^|]*\|([^|]*)\|$/gm),
  ].map(([, number, verdict]) => [String(number), String(verdict).trim()]);
}

/** @param {number} number */
function twoDigits(number) {
  return String(number).padStart(2, '0');
}
