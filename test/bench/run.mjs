/**
 * Measures every scenario, each library in processes of its own, in alternation, and prints medians.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

import { RedisServer } from '../support/redis/redis-server.mjs';
import { measure, measureInTurns } from './child.mjs';
import { LIMITS } from './floors.mjs';
import { differences } from './left-overs.mjs';
import { LIBRARIES } from './libraries/index.mjs';
import { lineUp, orderOf } from './line-up.mjs';
import { FULL_ROUNDS, parseOptions } from './options.mjs';
import { RedisProbe } from './redis-probe.mjs';
import { renderJudgements, renderTable, summarise } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { judge, missedFloors } from './verdict.mjs';

/**
 * @typedef {import('./line-up.mjs').Participant} Participant
 * @typedef {import('./measure.mjs').Task} Task
 * @typedef {import('./scenarios.mjs').Scenario} Scenario
 * @typedef {{ probe: RedisProbe, url: string }} Server
 *
 * @typedef {import('./report.mjs').ScenarioResult & { leftOvers: Comparison }} Result
 *
 * @typedef {object} Comparison
 * @property {number} rounds In which what ours and BullMQ left in Redis was compared.
 * @property {string[]} differences
 */

const BACKENDS = [...new Set(LIBRARIES.map(({ backend }) => backend))];
const NAMES = [...new Set(LIBRARIES.map(({ name }) => name))];

const HELP = `npm run bench -- [options]

Measures nestjs-lane, and others on the same server, each in processes of its own and in alternation, and prints
the medians of the rounds.

  --backend A,B   ${BACKENDS.join(' or ')} (default: both)
  --libraries A,B these alone: ${NAMES.join(', ')} (default: all that the backend has)
  --scenario A,B  these scenarios alone; --only is the same
  --quick         one round with few jobs: shows that everything runs, judges nothing
  --rounds N      rounds of a full run (default ${FULL_ROUNDS})
  --judge         ends with exit code 1 when a floor is missed
  --profile       writes V8 processor profiles of what is timed to build/bench; the figures are worse by it
  --json FILE     writes the figures as JSON
  --help          this text

Scenarios:
${SCENARIOS.map(({ name, what }) => `  ${name.padEnd(28)} ${what}`).join('\n')}
`;

/** Samples of latency that a full run takes of each library, at least. */
const SAMPLES = 5_000;

const options = readOptions();
if (options.help) {
  process.stdout.write(HELP);
} else {
  await main();
}

async function main() {
  /** @type {Result[]} */
  const results = [];
  let redis = null;
  if (options.backends.includes('memory')) {
    results.push(...(await measureBackend('memory')));
  }
  if (options.backends.includes('redis')) {
    const server = await RedisServer.start();
    const probe = new RedisProbe(server.url);
    try {
      redis = await probe.version();
      results.push(...(await measureBackend('redis', { probe, url: server.url })));
    } finally {
      await probe.close();
      await server.stop();
    }
  }
  report(results, redis);
}

/**
 * @param {string} backend
 * @param {Server} [server]
 */
async function measureBackend(backend, server) {
  const libraries = LIBRARIES.filter(
    (library) => library.backend === backend && options.libraries.includes(library.name),
  );
  /** @type {Result[]} */
  const results = [];
  for (const scenario of SCENARIOS) {
    const jobs = jobsOf(scenario, backend);
    const participants = lineUp(scenario, libraries);
    if (jobs !== undefined && isWanted(scenario) && participants.length > 0) {
      results.push(await measureScenario(scenario, { backend, jobs, participants, server }));
    }
  }
  return results;
}

/** @param {Scenario} scenario */
function isWanted({ name, crowd }) {
  return options.scenarios.length === 0
    ? !(options.quick && crowd?.onRequest === true)
    : options.scenarios.includes(name);
}

/**
 * @param {Scenario} scenario
 * @param {string} backend
 */
function jobsOf({ jobs, quickJobs, takesTurns }, backend) {
  const full = jobs[backend];
  if (full === undefined || options.quick) {
    return full && quickJobs;
  }
  return takesTurns ? Math.max(full, Math.ceil(SAMPLES / options.rounds)) : full;
}

/**
 * @param {Scenario} scenario
 * @param {{ backend: string, jobs: number, participants: Participant[], server: Server | undefined }} setting
 * @returns {Promise<Result>}
 */
async function measureScenario(scenario, { backend, jobs, participants, server }) {
  /** @type {Map<Participant, import('./measure.mjs').Figures[]>} */
  const figures = new Map(participants.map((participant) => [participant, []]));
  /** @type {Set<string>} */
  const found = new Set();
  let compared = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    const order = orderOf(participants, round);
    const tasks = order.map((participant) =>
      taskOf(scenario, participant, { jobs, round, url: server?.url }),
    );
    const measured = await measureAll(tasks, scenario.takesTurns === true, server);
    /** @type {Partial<Record<string, import('./left-overs.mjs').LeftOvers>>} */
    const left = {};
    order.forEach((participant, index) => {
      const done = measured[index];
      if (done !== undefined) {
        figures.get(participant)?.push(done.figures);
        left[participant.label] = done.leftOvers ?? undefined;
      }
    });
    if (left.ours !== undefined && left.bullmq !== undefined) {
      compared += 1;
      differences('bullmq', left.bullmq, 'ours', left.ours).forEach((line) => found.add(line));
    }
    process.stderr.write(`${backend} ${scenario.name}: round ${round + 1} of ${options.rounds} done\n`);
  }
  /** @param {Participant['role']} role */
  const inRole = (role) => participants.filter((participant) => participant.role === role);
  /** @param {Participant} participant */
  const roundsOf = (participant) => figures.get(participant) ?? [];
  const [control] = inRole('control');
  const peers = inRole('peer');
  const controlled = peers.find(({ library }) => library === control?.library);
  const summary = summarise(
    { name: scenario.name, backend, jobs },
    inRole('ours').flatMap(roundsOf),
    Object.fromEntries(peers.map((peer) => [peer.label, roundsOf(peer)])),
    control && controlled && { of: controlled.label, rounds: roundsOf(control) },
  );
  return { ...summary, leftOvers: { rounds: compared, differences: [...found] } };
}

/**
 * @param {Scenario} scenario
 * @param {Participant} participant
 * @param {{ jobs: number, round: number, url: string | undefined }} setting
 * @returns {Task}
 */
function taskOf(scenario, { label, library, isCrowded }, { jobs, round, url }) {
  const profile = `../../build/bench/${library.backend}-${scenario.name}-${label}-${round + 1}.cpuprofile`;
  return {
    module: library.module,
    scenario: scenario.name,
    queueName: label,
    jobs,
    ...(url !== undefined && { url }),
    isCrowded,
    isAlone: scenario.takesTurns !== true,
    isCompared: library.keepsFormat && scenario.crowd === undefined,
    ...(options.profile && { profile: fileURLToPath(new URL(profile, import.meta.url)) }),
  };
}

/**
 * @param {readonly Task[]} tasks
 * @param {boolean} inTurns
 * @param {Server | undefined} server
 */
async function measureAll(tasks, inTurns, server) {
  if (inTurns) {
    await server?.probe.empty();
    return measureInTurns(tasks);
  }
  const measured = [];
  for (const task of tasks) {
    await server?.probe.empty();
    measured.push(await measure(task));
  }
  return measured;
}

/**
 * @param {readonly Result[]} results
 * @param {string | null} redis
 */
function report(results, redis) {
  const judgements = judge(LIMITS, results);
  const different = results.filter(({ leftOvers }) => leftOvers.differences.length > 0);
  const same = results.filter(({ leftOvers }) => leftOvers.rounds > 0 && leftOvers.differences.length === 0);
  const notes = LIBRARIES.filter(({ name, note }) => note && results.some(({ peers }) => name in peers)).map(
    ({ note }) => note,
  );
  const parts = [renderTable(results), ...notes];
  if (judgements.length > 0) {
    parts.push(renderJudgements(judgements));
  }
  if (options.quick) {
    parts.push('Quick run: it shows that everything runs; its figures say nothing.');
  }
  if (same.length > 0) {
    parts.push(`Ours and BullMQ left the same in Redis: ${same.map(({ name }) => name).join(', ')}.`);
  }
  parts.push(
    ...different.map(
      ({ name, leftOvers }) =>
        `Ours and BullMQ left different things in Redis: ${name}\n  ${leftOvers.differences.join('\n  ')}`,
    ),
  );
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (options.json !== undefined) {
    const content = {
      schema: 1,
      ...(options.quick && { quick: true }),
      machine: describeMachine(redis),
      scenarios: results,
      judgements,
    };
    writeFileSync(options.json, `${JSON.stringify(content, null, 2)}\n`);
  }
  if (different.length > 0 || (options.judge && missedFloors(judgements).length > 0)) {
    process.exitCode = 1;
  }
}

/** @param {string | null} redis */
function describeMachine(redis) {
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    node: process.version,
    redis,
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
  try {
    return parseOptions(process.argv.slice(2), {
      backends: BACKENDS,
      libraries: NAMES,
      scenarios: SCENARIOS.map(({ name }) => name),
    });
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\nSee npm run bench -- --help.\n`,
    );
    process.exit(2);
  }
}
