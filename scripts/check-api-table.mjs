// Checks docs/reference/bullmq-api.md against the BullMQ that is installed, against our own types and against the
// tests: every public member has a row, what is promised is there, and every proof that is named is a test.
//
//   node scripts/check-api-table.mjs            checks
//   node scripts/check-api-table.mjs --list     prints the members of BullMQ, each with whether we have one of that name

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { root } from './subpaths.mjs';
import { proofReader } from './test-titles.mjs';

const TABLE = 'docs/reference/bullmq-api.md';

/** Subjects that have work of their own ahead of them: nothing else may be missing. */
const ABSENT = ['flows', 'deduplication', 'schedulers', 'sandboxes', 'telemetry', 'relay'];

/** The constants that users of a queue or a worker meet: not those of its PostgreSQL backend, of relay and of migrations. */
const CONSTANTS =
  /^(PRIORITY_LIMIT|ErrorCode|MetricsTime|QUEUE_EVENT_SUFFIX|DELAY_TIME_\d|[A-Z_]+_ERROR(_MSG)?)$/;

/** Sections of the page: the type in BullMQ whose members are its rows, and ours; `null` for what a package exports. */
const SECTIONS = new Map([
  ['Queue', { theirs: 'Queue', ours: 'Queue' }],
  ['Worker', { theirs: 'Worker', ours: 'Worker' }],
  ['Job', { theirs: 'Job', ours: 'Job' }],
  ['QueueEvents', { theirs: 'QueueEvents', ours: 'QueueEvents' }],
  ['QueueEventsProducer', { theirs: 'QueueEventsProducer', ours: 'QueueEventsProducer' }],
  ['Options of a queue', { theirs: 'QueueOptions', ours: 'QueueOptions' }],
  ['Options of a worker', { theirs: 'WorkerOptions', ours: 'WorkerSettings' }],
  ['Options of a job', { theirs: 'JobsOptions', ours: 'JobOptions' }],
  ['Options of QueueEvents', { theirs: 'QueueEventsOptions', ours: 'QueueEventsOptions' }],
  ['Events of a queue object', { theirs: 'QueueListener', ours: 'QueueListeners' }],
  ['Events of a worker', { theirs: 'WorkerListener', ours: 'WorkerListeners' }],
  ['Events of QueueEvents', { theirs: 'QueueEventsListener', ours: 'QueueEventsListeners' }],
  ['Errors', { theirs: null, ours: null, names: /^[A-Z]\w+Error$/ }],
  ['Constants', { theirs: null, ours: null, names: CONSTANTS }],
]);

/** Sections whose rows are what no type shows: arguments, defaults, rules. */
const UNTYPED = ['Arguments', 'What events carry', 'Rules', 'Types and functions', 'BullMQ 5 alone'];

/** @typedef {{ name: string, verdict: string, text: string }} Row */

const readProofs = proofReader();

const theirs = packageTypes(join(root, 'node_modules/bullmq-6/dist/esm/index.d.ts'));
const ours = packageTypes(join(root, 'lib/engine/index.ts'));

if (process.argv.includes('--list')) {
  for (const [title, section] of SECTIONS) {
    console.log(`## ${title}`);
    const own = membersOf(ours, section.ours, section);
    for (const name of membersOf(theirs, section.theirs, section)) {
      console.log(`${own.includes(name) ? 'yes' : '---'} ${name}`);
    }
  }
  UNTYPED.forEach((title) => console.log(`## ${title}`));
} else {
  const problems = check();
  problems.forEach((problem) => console.error(`${TABLE}: ${problem}`));
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** @returns {string[]} */
function check() {
  const page = readPage();
  const problems = [...page.keys()]
    .filter((title) => !SECTIONS.has(title) && !UNTYPED.includes(title))
    .map((title) => `"${title}" is no section that this script knows.`);
  for (const [title, section] of SECTIONS) {
    const rows = page.get(title) ?? [];
    const wanted = membersOf(theirs, section.theirs, section);
    const own = membersOf(ours, section.ours, section);
    const listed = rows.map(({ name }) => name);
    for (const name of wanted.filter((each) => !listed.includes(each))) {
      problems.push(`${title}: ${name} has no row.`);
    }
    for (const { name, verdict } of rows) {
      const where = `${title}: ${name}`;
      if (!wanted.includes(name)) problems.push(`${where} is nothing of BullMQ’s.`);
      if (verdict === 'yes' && !own.includes(name)) problems.push(`${where} is promised, and there is none.`);
      if (verdict === 'no' && own.includes(name)) {
        problems.push(`${where} is said to be missing, and there is one.`);
      }
    }
  }
  for (const title of UNTYPED.filter((each) => !page.has(each))) problems.push(`"${title}" is not there.`);
  return [...problems, ...[...page].flatMap(([title, rows]) => problemsOfRows(title, rows))];
}

/**
 * What has to hold of any row.
 *
 * @param {string} title
 * @param {Row[]} rows
 * @returns {string[]}
 */
function problemsOfRows(title, rows) {
  const problems = [];
  const listed = rows.map(({ name }) => name);
  for (const [index, { name, verdict, text }] of rows.entries()) {
    const where = `${title}: ${name}`;
    if (listed.indexOf(name) < index) problems.push(`${where} has more than one row.`);
    const proofs = readProofs(text);
    problems.push(...proofs.problems.map((problem) => `${where}: ${problem}`));
    if (verdict === 'yes') {
      if (proofs.count === 0) problems.push(`${where} is promised, and no test is named.`);
    } else if (verdict === 'differs') {
      if (text === '') problems.push(`${where} differs, and nothing says what to do instead.`);
    } else if (verdict === 'no') {
      if (!ABSENT.some((subject) => text.startsWith(subject))) {
        problems.push(`${where} is missing for another reason than ${ABSENT.join(', ')}.`);
      }
    } else {
      problems.push(`${where}: "${verdict}" is none of yes, differs and no.`);
    }
  }
  return problems;
}

/** @param {string} cell first of a row */
function isHead(cell) {
  return cell.trim() === 'In BullMQ' || /^ *:?-+:? *$/.test(cell);
}

/** @returns {Map<string, Row[]>} rows by section */
function readPage() {
  /** @type {ReturnType<typeof readPage>} */
  const page = new Map();
  let title = '';
  for (const line of readFileSync(join(root, TABLE), 'utf8').split('\n')) {
    if (line.startsWith('## ')) {
      title = line.slice(3).trim();
      page.set(title, []);
    }
    const [, name, verdict, text] = /^\|([^|]+)\|([^|]*)\|(.*)\|$/.exec(line) ?? [];
    if (name === undefined || title === '' || isHead(name)) continue;
    page.get(title)?.push({
      name: name.trim().replace(/^`([^`]+)`$/, '$1'),
      verdict: String(verdict).trim(),
      text: String(text).trim(),
    });
  }
  return page;
}

/**
 * @param {string} entry
 * @returns {{ checker: ts.TypeChecker, exports: Map<string, ts.Symbol> }}
 */
function packageTypes(entry) {
  const program = ts.createProgram([entry], {
    skipLibCheck: true,
    strict: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const symbol = file && checker.getSymbolAtLocation(file);
  if (symbol === undefined) throw new Error(`${entry} is not there, or exports nothing`);
  return { checker, exports: new Map(checker.getExportsOfModule(symbol).map((each) => [each.name, each])) };
}

/**
 * @param {ReturnType<typeof packageTypes>} types
 * @param {string | null} typeName `null` for what the package exports
 * @param {{ names?: RegExp }} section
 * @returns {string[]} names of public members that the package itself declares; static ones as `Job.create`
 */
function membersOf({ checker, exports }, typeName, { names = /./ }) {
  if (typeName === null) {
    return [...exports]
      .filter(([name, symbol]) => names.test(name) && isValue(resolved(checker, symbol)))
      .map(([name]) => name);
  }
  const symbol = exports.get(typeName);
  if (symbol === undefined) return [];
  const target = resolved(checker, symbol);
  const members = checker.getDeclaredTypeOfSymbol(target).getProperties().filter(isPublic);
  const statics = [...(target.exports?.values() ?? [])].filter(
    (each) => each.name !== 'prototype' && each.valueDeclaration !== undefined && isPublic(each),
  );
  return [...members.map(({ name }) => name), ...statics.map(({ name }) => `${typeName}.${name}`)];
}

/** @param {ts.TypeChecker} checker @param {ts.Symbol} symbol */
function resolved(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** @param {ts.Symbol} symbol */
function isValue(symbol) {
  return (symbol.flags & ts.SymbolFlags.Value) !== 0;
}

/** @param {ts.Symbol} symbol */
function isPublic(symbol) {
  if (symbol.name.startsWith('__#')) return false;
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  // A member of a mapped type is declared nowhere.
  if (declaration === undefined) return true;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const file = declaration.getSourceFile().fileName;
  return (
    (ts.getCombinedModifierFlags(declaration) & hidden) === 0 &&
    (file.includes('/bullmq-6/') || !file.includes('/node_modules/'))
  );
}
