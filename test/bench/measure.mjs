/**
 * Measures one scenario of one library in this process and sends the figures to the parent.
 *
 * Argument: a {@link Task} as JSON.
 */
import { openProfiler } from './profiler.mjs';
import { RedisProbe } from './redis-probe.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { percentile } from './statistics.mjs';

/**
 * @typedef {object} Task
 * @property {string} module Of the library.
 * @property {string} scenario
 * @property {string} queueName
 * @property {number} jobs
 * @property {string} [url] Of the server, where there is one.
 * @property {boolean} [isCrowded] Whether the scenario's crowd is there.
 * @property {boolean} [isAlone] Whether nobody else uses the server meanwhile.
 * @property {boolean} [isCompared] Whether to tell what is left in Redis.
 * @property {string} [profile] File for a V8 processor profile of the timed part.
 *
 * @typedef {object} Figures
 * @property {number | null} jobsPerSecond `null` where jobs are made to wait.
 * @property {number | null} serverMicros Server time a job.
 * @property {number} nodeMicros Processor time of this process a job.
 * @property {number | null} p50Micros
 * @property {number | null} p99Micros
 *
 * @typedef {{ kind: 'turn' } | { kind: 'done', figures: Figures, leftOvers: import('./left-overs.mjs').LeftOvers | null }} Message
 */

/** Above what any run writes. */
const ALL_EVENTS = 100_000_000;

/** @type {Task} */
const task = JSON.parse(process.argv[2] ?? '');
const scenario = SCENARIOS.find(({ name }) => name === task.scenario);
if (scenario === undefined) {
  throw new Error(`There is no scenario ${task.scenario}`);
}
/** @type {{ open: import('./scenarios.mjs').Open }} */
const library = await import(task.module);
const probe = task.url === undefined ? undefined : new RedisProbe(task.url);

// The compiler has to have seen the code before it is timed.
const warmUp = scenario.takesTurns ? Math.ceil(task.jobs / 5) : Math.max(1_000, Math.ceil(task.jobs / 5));
await run({
  module: task.module,
  scenario: task.scenario,
  queueName: `warm-up-${task.queueName}`,
  jobs: warmUp,
  url: task.url,
});
if (task.isAlone) {
  await probe?.empty();
}
send({ kind: 'done', ...(await run(task, turn)) });
await probe?.close();
if (process.send !== undefined) {
  process.disconnect();
}

/** @param {Message} message */
function send(message) {
  if (process.send === undefined) {
    console.log(JSON.stringify(message));
  } else {
    process.send(message);
  }
}

/** @returns {Promise<void>} */
async function turn() {
  if (process.send === undefined) {
    return;
  }
  const granted = new Promise((resolve) => process.once('message', resolve));
  send({ kind: 'turn' });
  await granted;
}

/**
 * @param {Task} what
 * @param {() => Promise<void>} [takeTurn]
 * @returns {Promise<Omit<Extract<Message, { kind: 'done' }>, 'kind'>>}
 */
async function run({ queueName, jobs, url = '', isCrowded, isCompared, profile }, takeTurn = async () => {}) {
  const session = await library.open({ queueName, url, ...(isCompared && { eventCap: ALL_EVENTS }) });
  const { queueKey } = session;
  if (isCompared && queueKey !== undefined) {
    await probe?.keepEvents(queueKey, ALL_EVENTS);
  }
  const profiler = profile === undefined ? undefined : await openProfiler(profile);
  /** @type {number[]} */
  const samples = [];
  let nanos = 0n;
  let nodeMicros = 0;
  let serverMicros = 0;
  let begin = 0n;
  let beginCpu = process.cpuUsage();
  let beginServer = 0;
  await scenario?.run(
    session,
    jobs,
    {
      async start() {
        if (nanos === 0n) {
          globalThis.gc?.();
        }
        await profiler?.start();
        beginServer = (await probe?.cpuMicros()) ?? 0;
        beginCpu = process.cpuUsage();
        begin = process.hrtime.bigint();
      },
      async stop() {
        nanos += process.hrtime.bigint() - begin;
        const { user, system } = process.cpuUsage(beginCpu);
        nodeMicros += user + system;
        serverMicros += ((await probe?.cpuMicros()) ?? 0) - beginServer;
        await profiler?.stop();
      },
      turn: takeTurn,
      sample(micros) {
        samples.push(micros);
      },
    },
    isCrowded ? scenario.crowd : undefined,
  );
  profiler?.close();
  await session.close();
  return {
    figures: {
      jobsPerSecond: scenario?.takesTurns ? null : jobs / (Number(nanos) / 1e9),
      serverMicros: probe === undefined ? null : serverMicros / jobs,
      nodeMicros: nodeMicros / jobs,
      p50Micros: samples.length === 0 ? null : percentile(samples, 50),
      p99Micros: samples.length === 0 ? null : percentile(samples, 99),
    },
    leftOvers: isCompared && probe && queueKey !== undefined ? await probe.leftOvers(queueKey) : null,
  };
}
