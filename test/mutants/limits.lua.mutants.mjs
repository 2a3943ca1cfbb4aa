// Faults of limits in Lua, which the conformance suite has to notice on Redis. What other clients can have stored is held by
// specs of test/integration/redis.

const commands = 'lua/commands';
const includes = 'lua/includes';

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'spends permits at the ceiling',
    file: `${includes}/claim.lua`,
    area: 'setCeiling',
    find: "    room = math.min(room, math.ceil(step.ceiling) - redis.call('LLEN', step.active))\n    if room <= 0 then",
    replace:
      "    room = math.min(room, math.ceil(step.ceiling) - redis.call('LLEN', step.active))\n    if room <= 0 then\n      permitsOf(step, request)\n      countPermits(step, request.window or 1, 1)",
  },
  {
    name: 'lets one job more than the ceiling be active',
    file: `${includes}/claim.lua`,
    area: 'setCeiling',
    find: "math.ceil(step.ceiling) - redis.call('LLEN', step.active)",
    replace: "math.ceil(step.ceiling) + 1 - redis.call('LLEN', step.active)",
  },
  {
    name: 'wakes nobody when the ceiling is raised',
    file: `${commands}/set-ceiling.lua`,
    area: 'waitForWork',
    find: 'step.hasNewWork = hasReady(step)\n',
    replace: 'step.hasNewWork = hasReady(step) and false\n',
  },
  {
    name: 'keeps the ceiling that is taken back',
    file: `${commands}/set-ceiling.lua`,
    area: 'setCeiling',
    find: "redis.call('HDEL', step.meta, 'concurrency')",
    replace: '',
  },
  {
    name: 'goes by the number of the worker before that of the queue',
    file: `${includes}/limits.lua`,
    area: 'claimJobs',
    find: 'step.max or numberIn(ownMax)',
    replace: 'numberIn(ownMax) or step.max',
  },
  {
    name: 'goes by the window of the queue before that of the worker',
    file: `${includes}/limits.lua`,
    area: 'claimJobs',
    find: '(numberIn(ownDuration) or step.duration)',
    replace: '(step.duration or numberIn(ownDuration))',
  },
  {
    name: 'lets one job more through than the rate',
    file: `${includes}/limits.lua`,
    area: 'setRateLimit',
    find: 'math.ceil(most - counted)',
    replace: 'math.ceil(most - counted) + 1',
  },
  {
    name: 'begins a window anew with every claim',
    file: `${includes}/limits.lua`,
    area: 'setRateLimit',
    find: "if redis.call('INCRBY', limiter, textOf(step, used)) == used then",
    replace: "redis.call('INCRBY', limiter, textOf(step, used))\n  do",
  },
  {
    name: 'counts jobs that are to fail without running',
    file: `${includes}/claim.lua`,
    area: 'setRateLimit',
    find: '  if not deferred then\n    if taken.permits == 0 then',
    replace: '  do\n    if taken.permits == 0 then',
  },
  {
    name: 'heeds no limit that was set by hand where there is no rate',
    file: `${commands}/settle-jobs.lua`,
    area: 'settleJobs',
    find: '  request.heedsHand = settlement.heedsHand\n',
    replace: '',
  },
  {
    name: 'heeds a limit for every job that is handed back',
    file: `${includes}/outcomes.lua`,
    area: 'settleJobs',
    find: "settlement.heedsHand or terms.text == 'limited'",
    replace: 'true',
  },
  {
    name: 'lets a lifted limit be waited for',
    file: `${commands}/set-rate-limit.lua`,
    area: 'waitForWork',
    find: 'wakeHeldBack(step)\n',
    replace: "if max ~= '' then\n  wakeHeldBack(step)\nend\n",
  },
  {
    name: 'lets a window that is ended by hand be waited for',
    file: `${commands}/limit-claims.lua`,
    area: 'waitForWork',
    find: '  wakeHeldBack(step)\n',
    replace: "  if redis.call('EXISTS', base .. 'limiter') == 1 then\n    wakeHeldBack(step)\n  end\n",
  },
  {
    name: 'takes the wake-up for work from those that no limit holds back',
    file: `${includes}/claim.lua`,
    area: 'waitForWork',
    find: '  if not step.max and hasReady(step) then\n    signalWork(step)\n  end\n',
    replace: '',
  },
  {
    name: 'tells a limit that is not reached',
    file: `${commands}/get-limits.lua`,
    area: 'getRateLimitTtl',
    find: 'counted and counted >= most and',
    replace: 'counted and',
  },
  {
    name: 'wakes workers for what a paused or full queue holds back',
    file: `${includes}/signals.lua`,
    area: 'waitForWork',
    find: 'step.hasNewWork and isOpen(step)',
    replace: 'step.hasNewWork and (isOpen(step) or true)',
  },
];
