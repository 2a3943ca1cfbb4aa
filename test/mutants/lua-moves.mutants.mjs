// Faults of the state machine in Lua around jobs that are moved by hand.

const commands = 'lua/commands';
const includes = 'lua/includes';

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'promotes jobs that are not delayed',
    file: `${commands}/promote-jobs.lua`,
    area: 'promoteJobs',
    find: "redis.call('ZREM', step.delayed, id) == 0",
    replace: "redis.call('ZREM', step.delayed, id) == 2",
  },
  {
    name: 'wakes nobody for a promoted job',
    file: `${commands}/promote-jobs.lua`,
    area: 'waitForWork',
    find: 'signal(step)',
    replace: 'signal({})',
  },
  {
    name: 'wakes nobody for a changed delay',
    file: `${commands}/change-delays.lua`,
    area: 'waitForWork',
    find: 'signal(step)',
    replace: 'signal({})',
  },
  {
    name: 'does not store a changed delay',
    file: `${commands}/change-delays.lua`,
    area: 'changeDelays',
    find: "    redis.call('HSET', base .. id, 'delay', delay)\n",
    replace: '',
  },
  {
    name: 'loses a job that waits when its priority is changed twice',
    file: `${commands}/change-priorities.lua`,
    area: 'changePriorities',
    find: "return redis.call('ZREM', step.prioritized, id) == 1",
    replace: 'return false',
  },
  {
    name: 'leaves a second place of a job whose priority is changed',
    file: `${commands}/change-priorities.lua`,
    area: 'changePriorities',
    find: "  return redis.call('LREM', base .. 'wait', '-1', id) +",
    replace: '  return 1 +',
  },
  {
    name: 'makes jobs ready that are run while their priority is changed',
    file: `${commands}/change-priorities.lua`,
    area: 'changePriorities',
    find: "  if state ~= 'waiting' then\n    return false",
    replace: "  if state ~= 'waiting' then\n    return true",
  },
  {
    name: 'wakes nobody for a retried job',
    file: `${commands}/retry-jobs.lua`,
    area: 'waitForWork',
    find: 'signal(step)',
    replace: 'signal({})',
  },
  {
    name: 'keeps when a retried job was run',
    file: `${includes}/retrying.lua`,
    area: 'retryJobs',
    find: "'processedOn', 'finishedOn', unpack",
    replace: "'finishedOn', unpack",
  },
  {
    name: 'keeps the attempts that were to be forgotten',
    file: `${commands}/retry-jobs.lua`,
    area: 'retryJobs',
    find: "resetAttemptsMade == '1'",
    replace: "resetAttemptsMade == '2'",
  },
  {
    name: 'says that there is nothing more to move',
    file: `${includes}/moving.lua`,
    area: 'retryFinishedJobs',
    find: '    more = 1\n',
    replace: '',
  },
  {
    name: 'takes names of other keys for jobs',
    file: `${includes}/moving.lua`,
    area: 'promoteJobs',
    find: 'if fields.err or not fields[1] then',
    replace: 'if fields.err then',
  },
];
