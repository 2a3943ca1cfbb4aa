/**
 * Measures one scenario of one library in this process and sends the figures to the parent.
 *
 * Arguments: library module, scenario, jobs.
 */
import { SCENARIOS } from './scenarios.mjs';
import { percentile } from './statistics.mjs';

/**
 * @typedef {object} Figures
 * @property {number} jobsPerSecond
 * @property {number | null} serverMicros Server time a job.
 * @property {number} nodeMicros Processor time of this process a job.
 * @property {number | null} p50Micros
 * @property {number | null} p99Micros
 */

const [libraryPath = '', scenarioName, jobsText] = process.argv.slice(2);
const scenario = SCENARIOS.find((each) => each.name === scenarioName);
if (scenario === undefined) {
  throw new Error(`There is no scenario ${scenarioName}`);
}
/** @type {{ open(queueName: string): Promise<import('./scenarios.mjs').Session> }} */
const library = await import(libraryPath);
const jobs = Number(jobsText);

// The compiler has to have seen the code before it is timed.
await run(Math.max(1_000, Math.ceil(jobs / 5)));
const figures = await run(jobs);
if (process.send === undefined) {
  console.log(JSON.stringify(figures));
} else {
  process.send(figures);
  process.disconnect();
}

/**
 * @param {number} count
 * @returns {Promise<Figures>}
 */
async function run(count) {
  const session = await library.open('bench');
  /** @type {number[]} */
  const samples = [];
  let begin = 0n;
  let beginCpu = process.cpuUsage();
  let nanos = 0n;
  let cpu = beginCpu;
  await scenario?.run(session, count, {
    start() {
      globalThis.gc?.();
      beginCpu = process.cpuUsage();
      begin = process.hrtime.bigint();
    },
    stop() {
      nanos = process.hrtime.bigint() - begin;
      cpu = process.cpuUsage(beginCpu);
    },
    sample(micros) {
      samples.push(micros);
    },
  });
  await session.close();
  return {
    jobsPerSecond: count / (Number(nanos) / 1e9),
    serverMicros: null,
    nodeMicros: (cpu.user + cpu.system) / count,
    p50Micros: samples.length === 0 ? null : percentile(samples, 50),
    p99Micros: samples.length === 0 ? null : percentile(samples, 99),
  };
}
