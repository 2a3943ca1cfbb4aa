// Holds docs/nest-statements.md and the titles of tests together: what is shown has its id in the title of a test, what
// is changed says what is so instead.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './subpaths.mjs';
import { testTitles } from './test-titles.mjs';

const PAGE = 'docs/nest-statements.md';
const ID = /\bNA-\d+-\d\d\b/g;

const inTitles = new Set(
  testTitles().flatMap(({ title, isGroup }) => (isGroup ? [] : (title.match(ID) ?? []))),
);

const problems = check();
problems.forEach((problem) => console.error(`${PAGE}: ${problem}`));
process.exitCode = problems.length > 0 ? 1 : 0;

function check() {
  const problems = [];
  /** @type {Set<string>} */
  const listed = new Set();
  for (const [id, verdict] of rows()) {
    const [, word, reason = ''] = /^(shown|changed)(?:: (.+))?$/.exec(verdict) ?? [];
    if (listed.has(id)) problems.push(`${id} has more than one row.`);
    listed.add(id);
    if (word === undefined) {
      problems.push(`${id}: "${verdict}" begins with neither shown nor changed.`);
    } else if ((word === 'changed') === (reason === '')) {
      problems.push(word === 'changed' ? `${id} does not say why.` : `${id} is shown, and says more.`);
    } else if (word === 'shown' && !inTitles.has(id)) {
      problems.push(`${id} is said to be shown, and stands in no title of a test.`);
    }
  }
  for (const id of inTitles) {
    if (!listed.has(id)) problems.push(`${id} stands in the title of a test, and has no row.`);
  }
  if (listed.size === 0) problems.push('there are no rows.');
  return problems;
}

/** @returns {(readonly [id: string, verdict: string])[]} */
function rows() {
  return [...readFileSync(join(root, PAGE), 'utf8').matchAll(/^\| (NA-\d+-\d\d) *\|.*\|([^|]*)\|$/gm)].map(
    ([, id, verdict]) => [String(id), String(verdict).trim()],
  );
}
