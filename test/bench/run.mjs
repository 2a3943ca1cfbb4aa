/**
 * Measures every scenario, each library in processes of its own, in alternation, and prints medians.
 */
import { execFileSync, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { renderTable, summarise } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';

const HELP = `npm run bench -- [options]

Measures nestjs-lane, each scenario in processes of its own, and prints the median of the rounds.

  --quick         one round with few jobs: shows that everything runs, judges nothing
  --rounds N      rounds of a full run (default 5)
  --only A,B      these scenarios alone
  --json FILE     writes the figures as JSON
  --help          this text

Scenarios:
${SCENARIOS.map(({ name, what }) => `  ${name.padEnd(15)} ${what}`).join('\n')}
`;

/** A process that takes longer than this hangs. */
const TIME_LIMIT = 120_000;

const LIBRARY = new URL('./libraries/nestjs-lane-memory.mjs', import.meta.url).href;

const options = readOptions();
if (options.help) {
  process.stdout.write(HELP);
} else {
  await main();
}

async function main() {
  const wanted = SCENARIOS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  /** @type {import('./report.mjs').ScenarioResult[]} */
  const results = [];
  for (const scenario of wanted) {
    const jobs = options.quick ? scenario.quickJobs : scenario.jobs;
    /** @type {import('./measure.mjs').Figures[]} */
    const ours = [];
    for (let round = 0; round < options.rounds; round += 1) {
      ours.push(await measure(LIBRARY, scenario.name, jobs));
    }
    results.push(summarise({ name: scenario.name, backend: 'memory', jobs }, ours, {}));
    process.stderr.write(`${scenario.name}: done\n`);
  }
  process.stdout.write(`${renderTable(results)}\n`);
  if (options.quick) {
    process.stdout.write('\nQuick run: it shows that everything runs; its figures say nothing.\n');
  }
  if (options.json !== undefined) {
    const report = {
      schema: 1,
      ...(options.quick && { quick: true }),
      machine: describeMachine(),
      scenarios: results,
    };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
}

/**
 * @param {string} library
 * @param {string} scenario
 * @param {number} jobs
 * @returns {Promise<import('./measure.mjs').Figures>}
 */
function measure(library, scenario, jobs) {
  return new Promise((resolve, reject) => {
    const child = fork(
      fileURLToPath(new URL('./measure.mjs', import.meta.url)),
      [library, scenario, String(jobs)],
      {
        execArgv: ['--expose-gc'],
        timeout: TIME_LIMIT,
      },
    );
    /** @type {import('./measure.mjs').Figures | undefined} */
    let figures;
    child.on('message', (message) => (figures = /** @type {import('./measure.mjs').Figures} */ (message)));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (figures !== undefined && code === 0) {
        resolve(figures);
      } else {
        reject(new Error(`${scenario} ended with ${signal ?? `exit code ${code}`} and without figures`));
      }
    });
  });
}

function describeMachine() {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    node: process.version,
    redis: null,
    commit: currentCommit(),
  };
}

function currentCommit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

function readOptions() {
  const known = SCENARIOS.map(({ name }) => name);
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        only: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const only = values.only?.split(',') ?? [];
    const unknown = only.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new Error(`There is no scenario "${unknown}". Known: ${known.join(', ')}.`);
    }
    const rounds = values.rounds === undefined ? (values.quick ? 1 : 5) : Number(values.rounds);
    if (!Number.isInteger(rounds) || rounds < 1) {
      throw new Error(`--rounds takes a whole number of at least 1, not "${values.rounds}".`);
    }
    return { ...values, only, rounds };
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\nSee npm run bench -- --help.\n`,
    );
    process.exit(2);
  }
}
