// Faults of headers and versions in Lua, which the conformance suite has to notice on Redis.

const commands = 'lua/commands';
const includes = 'lua/includes';

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'gives stored jobs of a call the headers of the first',
    file: `${commands}/add-jobs.lua`,
    area: 'addJobs',
    find: '    priority, delay, lifo, options, limits, notes = readTerms(own, from)',
    replace: '    priority, delay, lifo, options, limits = readTerms(own, from)',
  },
  {
    name: 'stores headers among the options',
    file: `${includes}/notes.lua`,
    area: 'addJobs',
    find: '    text = string.sub(text, size + 1)\n',
    replace: '',
  },
  {
    name: 'stores no version',
    file: `${includes}/notes.lua`,
    area: 'addJobs',
    find: "    fields[1] = 'ln:version'",
    replace: "    fields[1] = 'ln:none'",
  },
  {
    name: 'sends jobs the headers of the first',
    file: 'lib/backends/redis/add-codec.ts',
    area: 'addJobs',
    find: '    job.headers === first.headers &&\n',
    replace: '',
  },
  {
    name: 'counts the letters of headers, rather than their bytes',
    file: 'lib/backends/redis/add-codec.ts',
    area: 'addJobs',
    find: 'Buffer.byteLength(headers)',
    replace: 'headers.length',
  },
  {
    name: 'reads no stored headers',
    file: 'lib/backends/redis/job-record-codec.ts',
    area: 'claimJobs',
    find: "    case 'ln:headers':",
    replace: "    case 'ln:none':",
  },
];
