// Faults of jobs that are held back, and of given tokens, in the state machine in Lua and in what calls it.

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'holds jobs back until a time that has passed, on Redis',
    file: 'lua/includes/failures.lua',
    area: 'settleJobs',
    find: 'local due = math.max(step.now, math.ceil(tonumber(untilText)))',
    replace: 'local due = math.ceil(tonumber(untilText))',
  },
  {
    name: 'does not store for how long a job is held back',
    file: 'lua/includes/failures.lua',
    area: 'settleJobs',
    find: "  redis.call('HSET', job, 'delay', due - step.now)\n  if unhandled",
    replace: '  if unhandled',
  },
  {
    name: 'leases jobs under the token of the call on Redis, whatever was asked for',
    file: 'lib/backends/redis/call-codec.ts',
    area: 'claimJobs',
    find: 'token: request?.token ?? leaseTokenOf(call),',
    replace: 'token: leaseTokenOf(call),',
  },
];
