/**
 * What is measured, in the words of every library.
 *
 * A library adapter has `name`, `backend`, and `open(queueName)`, which returns a {@link Session}.
 *
 * @typedef {object} Session
 * @property {(name: string, data: unknown) => Promise<unknown>} add
 * @property {(jobs: { name: string, data: unknown }[]) => Promise<unknown>} addBulk
 * @property {(concurrency: number, onCompleted: (jobId: string) => void) => Promise<void>} startWorker
 * @property {(onCompleted: (jobId: string) => void) => Promise<void>} listen
 * @property {() => Promise<number>} countCompleted
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} what One line for the table's legend.
 * @property {number} jobs Jobs of a full round.
 * @property {number} quickJobs Jobs of a quick round.
 * @property {(session: Session, jobs: number, stopwatch: Stopwatch) => Promise<void>} run
 *
 * @typedef {object} Stopwatch
 * @property {() => void} start Everything before it is preparation.
 * @property {() => void} stop Everything after it is checking.
 * @property {(micros: number) => void} sample One job's latency.
 */

const CALLERS = 100;
const BULK = 1_000;

const PAYLOAD = {
  to: 'someone@example.com',
  template: 'welcome',
  parameters: { name: 'Someone', plan: 'pro' },
};

/** @type {readonly Scenario[]} */
export const SCENARIOS = [
  {
    name: 'add',
    what: `add, ${CALLERS} callers in flight; p50 and p99 of one call`,
    jobs: 100_000,
    quickJobs: 5_000,
    run: runAdd,
  },
  {
    name: 'add-bulk-1000',
    what: `addBulk of ${BULK} jobs, one call after the other`,
    jobs: 200_000,
    quickJobs: 10_000,
    run: runAddBulk,
  },
  processScenario(1, 50_000, 3_000),
  processScenario(10, 150_000, 5_000),
  processScenario(50, 200_000, 10_000),
  processScenario(200, 200_000, 10_000),
  {
    name: 'life-cycle',
    what: `add, run and hear of the end, ${CALLERS} callers in flight, 50 jobs at once; p50 and p99 of one job`,
    jobs: 60_000,
    quickJobs: 3_000,
    run: runLifeCycle,
  },
];

/**
 * @param {number} concurrency
 * @param {number} jobs
 * @param {number} quickJobs
 * @returns {Scenario}
 */
function processScenario(concurrency, jobs, quickJobs) {
  return {
    name: `process-c${concurrency}`,
    what: `no-op jobs that wait already, ${concurrency} at once, until the last one is completed`,
    jobs,
    quickJobs,
    run: (session, count, stopwatch) => runProcess(session, count, stopwatch, concurrency),
  };
}

/** @type {Scenario['run']} */
async function runAdd(session, jobs, stopwatch) {
  let left = jobs;
  stopwatch.start();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left > 0) {
        left -= 1;
        const begin = process.hrtime.bigint();
        await session.add('send', PAYLOAD);
        stopwatch.sample(microsSince(begin));
      }
    }),
  );
  stopwatch.stop();
}

/** @type {Scenario['run']} */
async function runAddBulk(session, jobs, stopwatch) {
  stopwatch.start();
  await fill(session, jobs);
  stopwatch.stop();
}

/**
 * @param {Session} session
 * @param {number} jobs
 * @param {Stopwatch} stopwatch
 * @param {number} concurrency
 */
async function runProcess(session, jobs, stopwatch, concurrency) {
  await fill(session, jobs);
  let completed = 0;
  /** @type {() => void} */
  let finish = () => undefined;
  const finished = new Promise((resolve) => (finish = () => resolve(undefined)));
  stopwatch.start();
  await session.startWorker(concurrency, () => {
    completed += 1;
    if (completed === jobs) {
      stopwatch.stop();
      finish();
    }
  });
  await finished;
  await expectCompleted(session, jobs);
}

/** @type {Scenario['run']} */
async function runLifeCycle(session, jobs, stopwatch) {
  /** @type {Map<string, () => void>} */
  const waiting = new Map();
  /** @type {Set<string>} */
  const early = new Set();
  await session.listen((jobId) => {
    const wake = waiting.get(jobId);
    if (wake === undefined) {
      early.add(jobId);
    } else {
      waiting.delete(jobId);
      wake();
    }
  });
  await session.startWorker(50, () => undefined);
  let left = jobs;
  stopwatch.start();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left > 0) {
        left -= 1;
        const begin = process.hrtime.bigint();
        const job = /** @type {{ id: string }} */ (await session.add('send', PAYLOAD));
        if (!early.delete(job.id)) {
          await new Promise((resolve) => waiting.set(job.id, () => resolve(undefined)));
        }
        stopwatch.sample(microsSince(begin));
      }
    }),
  );
  stopwatch.stop();
  await expectCompleted(session, jobs);
}

/**
 * @param {Session} session
 * @param {number} jobs
 */
async function fill(session, jobs) {
  for (let added = 0; added < jobs; added += BULK) {
    const count = Math.min(BULK, jobs - added);
    await session.addBulk(Array.from({ length: count }, () => ({ name: 'send', data: PAYLOAD })));
  }
}

/**
 * A figure counts only when the work was done.
 *
 * @param {Session} session
 * @param {number} jobs
 */
async function expectCompleted(session, jobs) {
  const completed = await session.countCompleted();
  if (completed !== jobs) {
    throw new Error(`${completed} of ${jobs} jobs are completed`);
  }
}

/** @param {bigint} begin */
function microsSince(begin) {
  return Number(process.hrtime.bigint() - begin) / 1_000;
}
