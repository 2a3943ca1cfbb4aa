// Faults of time limits in Lua, which the conformance suite has to notice on Redis. What other clients can have stored is
// held by specs of test/integration/redis.

const commands = 'lua/commands';
const includes = 'lua/includes';

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'lets a stored job expire a millisecond late',
    file: `${includes}/claim.lua`,
    area: 'claimJobs',
    find: 'expires <= step.now',
    replace: 'expires < step.now',
  },
  {
    name: 'lets a stored job expire that was started once',
    file: `${includes}/claim.lua`,
    area: 'claimJobs',
    find: 'local isExpired = expires and started == 0 and',
    replace: 'local isExpired = expires and',
  },
  {
    name: 'spends permits on stored jobs that have expired',
    file: `${includes}/claim.lua`,
    area: 'claimJobs',
    find: '  deferred = deferred or isExpired\n',
    replace: '',
  },
  {
    name: 'tells of an expiry, and forgets it',
    file: `${includes}/expiry.lua`,
    area: 'claimJobs',
    find: "  redis.call('HSET', job, 'defa', EXPIRED_REASON)\n",
    replace: '',
  },
  {
    name: 'gives all jobs of a call the limits of the first',
    file: `${commands}/add-jobs.lua`,
    area: 'addJobs',
    find: '    priority, delay, lifo, options, limits, notes = readTerms(own, from)',
    replace: '    priority, delay, lifo, options = readTerms(own, from)',
  },
  {
    name: 'counts the time of a stored job from its adding',
    file: `${commands}/add-jobs.lua`,
    area: 'addJobs',
    find: 'limitTime(step, id, limits, (timestamp or now) + delay)',
    replace: 'limitTime(step, id, limits, (timestamp or now) + 0)',
  },
  {
    name: 'keeps the old time when a stored delay changes',
    file: `${commands}/change-delays.lua`,
    area: 'changeDelays',
    find: 'countExpiry(step, id, now + delay)',
    replace: 'noteExpiry(step, id, now + delay)',
  },
  {
    name: 'keeps the old time of a stored job that is promoted',
    file: `${includes}/promotion.lua`,
    area: 'promoteJobs',
    find: 'countExpiry(step, id, step.now)',
    replace: 'noteExpiry(step, id, step.now)',
  },
  {
    name: 'lets a stored job expire again that is retried',
    file: `${includes}/retrying.lua`,
    area: 'retryJobs',
    find: "'ln:expires', 'ln:unhandled', ",
    replace: "'ln:unhandled', ",
  },
  {
    name: 'takes nothing that has expired in a list',
    file: `${commands}/claim-expired-jobs.lua`,
    area: 'claimExpiredJobs',
    find: "redis.call('LREM', base .. 'wait', '-1', id) > 0 or ",
    replace: '',
  },
  {
    name: 'takes more that have expired than fit into a reply',
    file: `${commands}/claim-expired-jobs.lua`,
    area: 'claimExpiredJobs',
    find: "if isTooMuch(taken, #(fields[5] or '')) then",
    replace: 'if isTooMuch(taken, 0) then',
  },
  {
    name: 'says nothing of more stored jobs that have expired',
    file: `${commands}/claim-expired-jobs.lua`,
    area: 'claimExpiredJobs',
    find: "    more = '1'\n",
    replace: '',
  },
  {
    name: 'forgets the records of expired jobs when the call is made again',
    file: `${commands}/claim-expired-jobs.lua`,
    area: 'claimExpiredJobs',
    find: 'return claimAgain(base, now, recalled, request)',
    replace: 'return { (claimAgain(base, now, recalled, request))[1] }',
  },
];
