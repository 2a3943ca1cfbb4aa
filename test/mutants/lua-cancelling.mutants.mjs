// Faults of cancelling in the state machine in Lua, and in what calls it.

const commands = 'lua/commands';
const includes = 'lua/includes';

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'goes by the last reason that a held job was given, on Redis',
    file: `${commands}/cancel-jobs.lua`,
    area: 'cancelJobs',
    find: 'request(id, token, fields[5] or reason)',
    replace: 'request(id, token, reason)',
  },
  {
    name: 'tells the callers that tokens of others seem to name',
    file: `${commands}/cancel-jobs.lua`,
    area: 'cancelJobs',
    find: 'if not holder or #holder ~= 32 or',
    replace: 'if not holder or',
  },
  {
    name: 'notes a cancel, and tells nobody',
    file: `${includes}/messages.lua`,
    area: 'cancelJobs',
    find: "  redis.call('ZADD', inbox, '0', message)\n",
    replace: "  redis.call('ZREM', inbox, message)\n",
  },
  {
    name: 'tells that nothing is left when a job ends that was held back, on Redis',
    file: `${commands}/cancel-jobs.lua`,
    area: 'cancelJobs',
    find: "hadWork = hadWork or (place ~= 'delayed' and place ~= 'waiting-children')",
    replace: 'hadWork = true',
  },
  {
    name: 'forgets in a call that ends of others may have removed a job',
    file: `${commands}/cancel-jobs.lua`,
    area: 'cancelJobs',
    find: '    -- The ends of others may have removed it.\n    writeFinished(step, settlement)\n',
    replace: '',
  },
  {
    name: 'does not see in a call that it has ended a job in it',
    file: `${commands}/cancel-jobs.lua`,
    area: 'cancelJobs',
    find: 'return ended[id] or',
    replace: 'return',
  },
  {
    name: 'cancels no abandoned jobs',
    file: `${commands}/cancel-jobs.lua`,
    area: 'cancelJobs',
    find: 'processedOn = processedOn })',
    replace: '})',
  },
  {
    name: 'keeps no jobs that are cancelled',
    file: `${includes}/own-retention.lua`,
    area: 'cancelJobs',
    find: 'local ALL = -1',
    replace: 'local ALL = 0',
  },
  {
    name: 'takes the age of kept jobs for milliseconds',
    file: `${includes}/own-retention.lua`,
    area: 'cancelJobs',
    find: 'numberText(age * 1000)',
    replace: 'numberText(age)',
  },
  {
    name: 'forgets to forget the request for a cancel when a job has failed',
    file: `${includes}/failures.lua`,
    area: 'settleJobs',
    find: "redis.call('HDEL', job, 'defa', 'ln:code', 'ln:cancel', 'ln:unhandled')",
    replace: "redis.call('HDEL', job, 'defa', 'ln:code', 'ln:unhandled')",
  },
  {
    name: 'forgets to forget the request for a cancel when a job has completed',
    file: `${includes}/outcomes.lua`,
    area: 'settleJobs',
    find: "      redis.call('HDEL', job, 'ln:cancel')\n",
    replace: "      redis.call('HDEL', job, 'ln:code')\n",
  },
  {
    name: 'has a job run again whose cancel was requested, on Redis',
    file: `${includes}/outcomes.lua`,
    area: 'settleJobs',
    find: 'elseif fields[5] and endCancelled(',
    replace: "elseif fields[5] and kind ~= 'handed-back' and endCancelled(",
  },
  {
    name: 'fails a job whose cancel was requested for what its holder says, on Redis',
    file: `${includes}/failures.lua`,
    area: 'settleJobs',
    find: 'reason, code = fields[5], CANCELLED',
    replace: 'code = CANCELLED',
  },
  {
    name: 'counts no attempt that ends with a cancel',
    file: `${includes}/failures.lua`,
    area: 'settleJobs',
    find: 'made, stacktrace = attemptsWith(fields), (readFailure(text))',
    replace: 'made, stacktrace = 0, (readFailure(text))',
  },
  {
    name: 'has a job that is to fail as cancelled wait for a permit, on Redis',
    file: `${includes}/claim.lua`,
    area: 'claimJobs',
    find: "elseif field == 'ln:cancel' then",
    replace: "elseif field == 'ln:none' then",
  },
  {
    name: 'does not tell who renews a lease that its job was cancelled, on Redis',
    file: `${commands}/renew-leases.lua`,
    area: 'renewLeases',
    find: '    if fields[2] then',
    replace: '    if fields[3] then',
  },
  {
    name: 'takes wake-ups while it is busy',
    file: 'lib/backends/redis/work-signal.ts',
    area: 'waitForWork',
    find: 'limited !== undefined || busy === true',
    replace: 'limited !== undefined',
  },
  {
    name: 'counts no failures of jobs that it fails as cancelled',
    file: `${commands}/settle-jobs.lua`,
    area: 'settleJobs',
    find: 'failed = settlement.cancelled }',
    replace: 'failed = 0 }',
  },
];
