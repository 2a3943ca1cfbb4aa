// Faults of how often nobody had a handler for a job, in memory and in the engine.

const embedded = 'lib/backends/embedded';
const worker = 'lib/engine/worker';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'does not keep that nobody had a handler',
    file: `${embedded}/settle.ts`,
    area: 'settleJobs',
    find: 'row.unhandled = outcome.unhandled ?? row.unhandled;',
    replace: '',
  },
  {
    name: 'forgets of a job that is put off that nobody had a handler',
    file: `${embedded}/settle.ts`,
    area: 'settleJobs',
    find: 'row.unhandled = outcome.unhandled ?? row.unhandled;',
    replace: 'row.unhandled = outcome.unhandled ?? 0;',
  },
  {
    name: 'keeps of a failed job that nobody had a handler',
    file: `${embedded}/endings.ts`,
    area: 'settleJobs',
    find: '  row.unhandled = 0;\n',
    replace: '',
  },
  {
    name: 'keeps of a job that is run again that nobody had a handler',
    file: `${embedded}/moves.ts`,
    area: 'settleJobs',
    find: '  row.unhandled = 0;\n',
    replace: '',
  },
  {
    name: 'does not tell the store that nobody had a handler',
    file: `${worker}/job-executor.ts`,
    area: 'engine: outcomes',
    find: 'this.worker.storeTime() + said.duration, said.unhandled',
    replace: 'this.worker.storeTime() + said.duration, undefined',
  },
  {
    name: 'holds a job back for want of a handler without end',
    file: `${worker}/outcome-values.ts`,
    area: 'engine: outcomes',
    find: 'if (unhandled >= MOST_RELEASES) {',
    replace: 'if (unhandled > MOST_RELEASES) {',
  },
];
