// A long run under mixed load, with random kills. See npm run soak -- --help.

import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

import { RedisServer } from '../support/redis/redis-server.mjs';
import { SeededRandom } from '../support/seeded-random.mjs';
import { Ends } from './ends.mjs';
import { Fleet } from './fleet.mjs';
import { megabytes, problemsOf } from './judge.mjs';
import { Load } from './load.mjs';
import { HELP, parseOptions } from './options.mjs';

const QUEUE = 'soak';
const TURN = 1_000;
const SAID_EVERY = 10;
const LONGEST_DRAIN = 60_000;

/** So that the reader of the log misses nothing, however far it is behind. */
const MAX_EVENTS = 500_000;

let options;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${/** @type {Error} */ (error).message}\nSee npm run soak -- --help.`);
  process.exit(2);
}
if (options.help) {
  console.log(HELP);
} else {
  process.exitCode = (await soak(options)) ? 0 : 1;
}

/** @param {import('./options.mjs').SoakOptions} options */
async function soak({ minutes, rate, bullmq, seed }) {
  console.log(`${minutes} min, ${rate} jobs a second, bullmq ${bullmq}, seed ${seed}`);
  const server = await RedisServer.start();
  const probe = new Redis(server.url);
  await probe.hset(`bull:${QUEUE}:meta`, 'opts.maxLenEvents', MAX_EVENTS);
  const ends = new Ends(server.url, QUEUE);
  const queues = await openQueues(server, bullmq);
  const fleet = new Fleet(server.url, QUEUE, ['ours', 'ours', `bullmq-${bullmq}`]);
  try {
    const load = new Load(queues, new SeededRandom(seed));
    await addFor(minutes * 60, { load, fleet, ends, rate, random: new SeededRandom(seed + 1) });
    console.log('No more jobs are added.');
    const counts = await runDry(queues.ours, ends, load.added);
    const problems = problemsOf({
      added: load.added,
      ends: ends.counts,
      counts,
      keys: await probe.keys('*'),
      heap: fleet.heap,
    });
    const { kills, closes, complaints } = fleet;
    console.log(
      `${load.added.size} jobs added, ${ends.completed} completed, ${ends.failed} failed; ${kills} processes killed, ${closes} closed`,
    );
    for (const [line, count] of complaints) console.log(`${count} times: ${line}`);
    problems.forEach((problem) => console.error(problem));
    console.log(problems.length === 0 ? 'All is accounted for.' : `seed ${seed}`);
    return problems.length === 0;
  } finally {
    await fleet.stop();
    await Promise.all([queues.ours.close(), queues.theirs.close()]);
    await ends.close();
    probe.disconnect();
    await server.stop();
  }
}

/**
 * @param {RedisServer} server
 * @param {5 | 6} bullmq
 */
async function openQueues(server, bullmq) {
  const { Queue } = await import('nestjs-lane/engine');
  const { redis } = await import('nestjs-lane/redis');
  const theirs = /** @type {typeof import('bullmq-6')} */ (await import(`bullmq-${bullmq}`));
  const streams = { events: { maxLen: MAX_EVENTS } };
  return {
    ours: new Queue(QUEUE, { backend: redis(server.url) }),
    theirs: new theirs.Queue(QUEUE, { connection: { host: '127.0.0.1', port: server.port }, streams }),
  };
}

/**
 * @param {number} seconds
 * @param {{ load: Load, fleet: Fleet, ends: Ends, rate: number, random: SeededRandom }} parts
 */
async function addFor(seconds, { load, fleet, ends, rate, random }) {
  const end = Date.now() + seconds * 1_000;
  for (let turn = 1; Date.now() < end; turn += 1) {
    const next = Date.now() + TURN;
    await load.add(rate);
    if (random.next() < 0.15) await fleet.disturb(random);
    if (random.next() < 0.05) await load.pauseForAMoment();
    if (turn % SAID_EVERY === 0) {
      const left = Math.max(0, Math.round((end - Date.now()) / 1_000));
      console.log(
        `${left} s left: ${load.added.size} added, ${ends.counts.size} ended, ${fleet.kills} killed, first worker ${megabytes(fleet.heap.at(-1) ?? 0)}`,
      );
    }
    await sleep(Math.max(0, next - Date.now()));
  }
}

/**
 * @param {import('nestjs-lane/engine').Queue} queue
 * @param {Ends} ends
 * @param {ReadonlySet<string>} added
 */
async function runDry(queue, ends, added) {
  const deadline = Date.now() + LONGEST_DRAIN;
  let counts = await queue.getJobCounts();
  while (Date.now() < deadline) {
    counts = await queue.getJobCounts();
    const isDry = Object.entries(counts).every(
      ([state, count]) => count === 0 || /completed|failed/.test(state),
    );
    if (isDry && ends.counts.size >= added.size) break;
    await sleep(200);
  }
  return counts;
}
