// Faults of the embedded state machine around data, logs, metrics and options of jobs.

const embedded = 'lib/backends/embedded';
const memory = 'lib/backends/memory';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'does not store a payload that it takes',
    file: `${embedded}/job-data.ts`,
    area: 'updateData',
    find: "    step.store.put('jobs', row);\n",
    replace: '',
  },
  {
    name: 'forgets the time that a job brings',
    file: `${embedded}/intake.ts`,
    area: 'addJobs',
    find: 'job.timestamp ?? step.now',
    replace: 'step.now',
  },
  {
    name: 'finds jobs by ids that are no texts',
    file: 'lib/model/job-id.ts',
    area: 'engine: identifying',
    find: "(typeof jobId !== 'string')",
    replace: '(false)',
  },
  {
    name: 'asks a strategy where no attempt is left',
    file: 'lib/engine/worker/backoff-strategy.ts',
    area: 'engine: backoff',
    find: 'type === undefined || !mayRetry(job, error, options)',
    replace: 'type === undefined',
  },
  {
    name: 'takes a strategy that says -1 for one that says nothing',
    file: 'lib/engine/worker/backoff-strategy.ts',
    area: 'engine: backoff',
    find: '    return { error, wait: null };\n',
    replace: '    return { error, wait: 0 };\n',
  },
  {
    name: 'measures a payload in characters',
    file: 'lib/engine/new-job.ts',
    area: 'engine: adding',
    find: 'Buffer.byteLength(json)',
    replace: 'json.length',
  },
  {
    name: 'stores the limit of a log under a name that BullMQ does not know',
    file: 'lib/model/stored-job-options.ts',
    area: 'engine: adding',
    find: "const KEEP_LOGS = 'kl';",
    replace: "const KEEP_LOGS = 'keep';",
  },
  {
    name: 'counts jobs that were refused',
    file: `${embedded}/settle.ts`,
    area: 'getMetrics',
    find: '      refusals.push(found);\n',
    replace:
      '      refusals.push(found);\n      finishes.completed += Number(outcome.kind === "completed");\n      finishes.failed += Number(outcome.kind === "failed");\n',
  },
  {
    name: 'counts the first job of a minute with the minute before',
    file: `${embedded}/metrics.ts`,
    area: 'getMetrics',
    find: 'row.count - row.previousCount]',
    replace: 'row.count + finishes - row.previousCount]',
  },
  {
    name: 'counts delayed jobs that are due at the very time',
    file: `${embedded}/lookups.ts`,
    area: 'countDelayed',
    find: 'Math.ceil(before) - 1',
    replace: 'before',
  },
  {
    name: 'keeps the oldest rows of a log',
    file: `${embedded}/logs.ts`,
    area: 'addLogs',
    find: '{ limit: surplus }',
    replace: '{ limit: surplus, descending: true }',
  },
  {
    name: 'writes rows for jobs that are not there',
    file: `${embedded}/logs.ts`,
    area: 'addLogs',
    find: "step.store.get('jobs', step.queueName, id) === undefined;",
    replace: 'false;',
  },
  {
    name: 'leaves the rows of a job that is removed to the next one of its id',
    file: `${memory}/memory-store.ts`,
    area: 'addLogs',
    find: '    if (dependents !== undefined && ',
    replace: '    if (dependents === undefined && ',
  },
];
