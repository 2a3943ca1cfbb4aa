// Faults of headers and versions in the embedded state machine, and of what the queue makes of them.

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'stores no headers',
    file: 'lib/backends/embedded/job-row.ts',
    area: 'addJobs',
    find: '    headers: job.headers ?? null,',
    replace: '    headers: null,',
  },
  {
    name: 'tells no version',
    file: 'lib/backends/embedded/job-row.ts',
    area: 'claimJobs',
    find: '    version: row.version,',
    replace: '    version: null,',
  },
  {
    name: 'stores the names of headers as they are given',
    file: 'lib/model/job-headers.ts',
    area: 'engine: headers',
    find: '  return name.toLowerCase();',
    replace: '  return name;',
  },
  {
    name: 'takes headers of any size',
    file: 'lib/model/job-headers.ts',
    area: 'engine: headers',
    find: 'size > MAX_HEADERS_SIZE',
    replace: 'size > Infinity',
  },
];
