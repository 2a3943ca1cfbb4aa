/**
 * What is measured, in the words of every library.
 *
 * A library module has `open`.
 *
 * @typedef {(place: Place) => Promise<Session>} Open
 *
 * @typedef {object} Place
 * @property {string} queueName
 * @property {string} url Of the server; empty for a library that needs none.
 * @property {number} [eventCap] Events to keep; by default what the library keeps by itself.
 *
 * @typedef {object} Session
 * @property {string} [queueKey] Where the queue is in Redis: what all its keys begin with.
 * @property {(name: string, data: unknown) => Promise<unknown>} add
 * @property {(jobs: { name: string, data: unknown }[]) => Promise<unknown>} addBulk
 * @property {(concurrency: number, onCompleted: (jobId: string) => void, handler?: () => Promise<void>) => Promise<void>} startWorker
 * @property {(onCompleted: (jobId: string) => void) => Promise<void>} [listen]
 * @property {(count: number, leaseDuration: number) => Promise<void>} [claimElsewhere] Jobs become active that another worker holds.
 * @property {() => Promise<number>} countWaiting
 * @property {() => Promise<number>} countCompleted
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} what One line for the table's legend.
 * @property {Partial<Record<string, number>>} jobs Jobs of a full round, by backend.
 * @property {number} quickJobs Jobs of a quick round.
 * @property {boolean} [takesTurns] All libraries are up at the same time, and take turns.
 * @property {Crowd} [crowd] Compares a library with itself: with these jobs around, and alone.
 * @property {(session: Session, jobs: number, stopwatch: Stopwatch, crowd?: Crowd) => Promise<void>} run
 *
 * @typedef {object} Crowd
 * @property {number} [active] Jobs that another worker holds.
 * @property {number} [waiting] Jobs behind those that are measured.
 * @property {boolean} [onRequest] Left out of quick runs that do not name the scenario.
 *
 * @typedef {object} Stopwatch
 * @property {() => Promise<void>} start Everything before it is preparation.
 * @property {() => Promise<void>} stop Everything after it is checking; takes the time when it is called.
 * @property {() => Promise<void>} turn Resolves when it is this library's turn, which lasts until it asks for the next.
 * @property {(micros: number) => void} sample One job's latency.
 */

const CALLERS = 100;
const BULK = 1_000;
const TURN = 50;
const LATENCY_CONCURRENCY = 10;
/** Milliseconds in which a worker that has nothing to do comes to rest. */
const REST = 2;
const LONG_LEASE = 3_600_000;

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
    jobs: { memory: 100_000, redis: 60_000 },
    quickJobs: 5_000,
    run: runAdd,
  },
  {
    name: 'add-bulk-1000',
    what: `addBulk of ${BULK} jobs, one call after the other`,
    jobs: { memory: 200_000, redis: 100_000 },
    quickJobs: 10_000,
    run: runAddBulk,
  },
  processScenario(1, { memory: 50_000, redis: 10_000 }, 2_000),
  processScenario(10, { memory: 150_000, redis: 40_000 }, 5_000),
  processScenario(50, { memory: 200_000, redis: 60_000 }, 10_000),
  processScenario(200, { memory: 200_000, redis: 60_000 }, 10_000),
  {
    name: 'life-cycle',
    what: `add, run and hear of the end, ${CALLERS} callers in flight, 50 jobs at once; p50 and p99 of one job`,
    jobs: { memory: 60_000 },
    quickJobs: 3_000,
    run: runLifeCycle,
  },
  {
    name: 'latency',
    what: `from add to the start of the handler on an idle worker, in turns of ${TURN} jobs`,
    jobs: { redis: 1_000 },
    quickJobs: 200,
    takesTurns: true,
    run: runLatency,
  },
  {
    ...processScenario(50, { redis: 60_000 }, 10_000),
    name: 'process-c50-active-elsewhere',
    what: 'process-c50 while another worker holds 10,000 jobs, against process-c50 alone',
    crowd: { active: 10_000 },
  },
  {
    ...processScenario(50, { redis: 60_000 }, 10_000),
    name: 'process-c50-many-waiting',
    what: 'process-c50 with 1,000,000 jobs waiting behind, against process-c50 alone; left out of quick runs that do not name it',
    crowd: { waiting: 1_000_000, onRequest: true },
  },
];

/**
 * @param {number} concurrency
 * @param {Scenario['jobs']} jobs
 * @param {number} quickJobs
 * @returns {Scenario}
 */
function processScenario(concurrency, jobs, quickJobs) {
  return {
    name: `process-c${concurrency}`,
    what: `no-op jobs that wait already, ${concurrency} at once, until the last one is completed`,
    jobs,
    quickJobs,
    run: (session, count, stopwatch, crowd) => runProcess(session, count, stopwatch, concurrency, crowd),
  };
}

/** @type {Scenario['run']} */
async function runAdd(session, jobs, stopwatch) {
  let left = jobs;
  await stopwatch.start();
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
  await stopwatch.stop();
  expectCount('waiting', await session.countWaiting(), jobs);
}

/** @type {Scenario['run']} */
async function runAddBulk(session, jobs, stopwatch) {
  await stopwatch.start();
  await fill(session, jobs);
  await stopwatch.stop();
  expectCount('waiting', await session.countWaiting(), jobs);
}

/**
 * @param {Session} session
 * @param {number} jobs
 * @param {Stopwatch} stopwatch
 * @param {number} concurrency
 * @param {Crowd} [crowd]
 */
async function runProcess(session, jobs, stopwatch, concurrency, { active = 0, waiting = 0 } = {}) {
  if (active > 0) {
    await fill(session, active);
    await session.claimElsewhere?.(active, LONG_LEASE);
  }
  await fill(session, jobs + waiting);
  let completed = 0;
  /** @type {(stopped: Promise<void>) => void} */
  let finish = () => undefined;
  /** @type {Promise<void>} */
  const finished = new Promise((resolve) => (finish = resolve));
  await stopwatch.start();
  await session.startWorker(concurrency, () => {
    completed += 1;
    if (completed === jobs) {
      finish(stopwatch.stop());
    }
  });
  await finished;
  if (waiting === 0) {
    expectCount('completed', await session.countCompleted(), jobs);
  } else if ((await session.countCompleted()) < jobs) {
    throw new Error(`Fewer than ${jobs} jobs are completed`);
  }
}

/** @type {Scenario['run']} */
async function runLifeCycle(session, jobs, stopwatch) {
  /** @type {Map<string, () => void>} */
  const waiting = new Map();
  /** @type {Set<string>} */
  const early = new Set();
  await session.listen?.((jobId) => {
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
  await stopwatch.start();
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
  await stopwatch.stop();
  expectCount('completed', await session.countCompleted(), jobs);
}

/** @type {Scenario['run']} */
async function runLatency(session, jobs, stopwatch) {
  let begin = 0n;
  /** @type {() => void} */
  let wake = () => undefined;
  await session.startWorker(
    LATENCY_CONCURRENCY,
    () => wake(),
    async () => stopwatch.sample(microsSince(begin)),
  );
  for (let done = 0; done < jobs;) {
    await stopwatch.turn();
    await stopwatch.start();
    for (const end = Math.min(jobs, done + TURN); done < end; done += 1) {
      await new Promise((resolve) => setTimeout(resolve, REST));
      const completed = new Promise((resolve) => (wake = () => resolve(undefined)));
      begin = process.hrtime.bigint();
      await session.add('send', PAYLOAD);
      await completed;
    }
    await stopwatch.stop();
  }
  expectCount('completed', await session.countCompleted(), jobs);
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
 * @param {string} state
 * @param {number} found
 * @param {number} jobs
 */
function expectCount(state, found, jobs) {
  if (found !== jobs) {
    throw new Error(`${found} of ${jobs} jobs are ${state}`);
  }
}

/** @param {bigint} begin */
function microsSince(begin) {
  return Number(process.hrtime.bigint() - begin) / 1_000;
}
