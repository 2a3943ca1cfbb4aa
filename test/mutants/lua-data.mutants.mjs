// Faults of the Lua state machine around data, logs, metrics and options of jobs.

const commands = 'lua/commands';

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'stores a payload for a job that is not there',
    file: `${commands}/update-data.lua`,
    area: 'updateData',
    find: "redis.call('EXISTS', base .. id) == 0",
    replace: 'false',
  },
  {
    name: 'keeps the oldest rows of a log',
    file: `${commands}/add-logs.lua`,
    area: 'addLogs',
    find: "redis.call('LTRIM', logs, '-' .. keep, '-1')",
    replace: "redis.call('LTRIM', logs, '0', keep - 1)",
  },
  {
    name: 'counts the rows of a log before it is shortened',
    file: `${commands}/add-logs.lua`,
    area: 'addLogs',
    find: '      count = tonumber(keep)\n',
    replace: '',
  },
  {
    name: 'writes rows for jobs that are not there',
    file: `${commands}/add-logs.lua`,
    area: 'addLogs',
    find: "redis.call('EXISTS', job) == 0",
    replace: 'false',
  },
  {
    name: 'does not count a duplicate',
    file: `${commands}/add-jobs.lua`,
    area: 'addJobs',
    find: '    counted = counted + 1\n  else',
    replace: '  else',
  },
  {
    name: 'counts the delay of a job from now, whatever time it brings',
    file: `${commands}/add-jobs.lua`,
    area: 'addJobs',
    find: 'holdBack(step, id, (timestamp or now) + delay)',
    replace: 'holdBack(step, id, now + delay)',
  },
  {
    name: 'gives the time that a job brings to the one behind it',
    file: `${commands}/add-jobs.lua`,
    area: 'addJobs',
    find: 'ownTimes[place]',
    replace: 'ownTimes[place - 1]',
  },
  {
    name: 'counts jobs that were refused',
    file: `${commands}/settle-jobs.lua`,
    area: 'getMetrics',
    find: 'if finishes[ended] and not settlement.refused[place] then',
    replace: 'if finishes[ended] then',
  },
  {
    name: 'keeps every point of the metrics',
    file: 'lua/includes/metrics.lua',
    area: 'getMetrics',
    find: "      redis.call('LTRIM', key .. ':data', '0', maxDataPoints - 1)\n",
    replace: '',
  },
  {
    name: 'counts the first job of a minute with the minute before',
    file: 'lua/includes/metrics.lua',
    area: 'getMetrics',
    find: "redis.call('HINCRBY', key, 'count', ended) - ended",
    replace: "redis.call('HINCRBY', key, 'count', ended)",
  },
  {
    name: 'counts delayed jobs that are due at the very time',
    file: `${commands}/count-delayed.lua`,
    area: 'countDelayed',
    find: 'tonumber(before) * SLOTS',
    replace: '(tonumber(before) + 1) * SLOTS',
  },
  {
    name: 'clears a log where one row is to stay',
    file: `${commands}/clear-logs.lua`,
    area: 'clearLogs',
    find: "'-' .. keep, '-1'",
    replace: "'-' .. keep, '-2'",
  },
];
