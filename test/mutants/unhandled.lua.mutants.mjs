// Faults of how often nobody had a handler for a job, in the state machine in Lua and in what calls it.

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'does not keep that nobody had a handler, on Redis',
    file: 'lua/includes/failures.lua',
    area: 'settleJobs',
    find: "redis.call('HSET', job, 'ln:unhandled', unhandled)",
    replace: "redis.call('HSET', job, 'ln:unhandled', '0')",
  },
  {
    name: 'keeps of a failed job that nobody had a handler, on Redis',
    file: 'lua/includes/failures.lua',
    area: 'settleJobs',
    find: "'ln:code', 'ln:cancel', 'ln:unhandled')",
    replace: "'ln:code', 'ln:cancel')",
  },
  {
    name: 'keeps of a job that is run again that nobody had a handler, on Redis',
    file: 'lua/includes/retrying.lua',
    area: 'settleJobs',
    find: "'ln:expires', 'ln:unhandled', 'processedOn'",
    replace: "'ln:expires', 'processedOn'",
  },
];
