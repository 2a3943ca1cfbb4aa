// Faults of limits in the embedded state machine, and of what the worker makes of them.

const embedded = 'lib/backends/embedded';
const worker = 'lib/engine/worker';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'counts only the claims of a new window',
    file: `${embedded}/limits.ts`,
    area: 'setRateLimit',
    find: '  queue.windowUsed += used;\n',
    replace: '  queue.windowUsed = used;\n',
  },
  {
    name: 'lets a window last a millisecond longer',
    file: `${embedded}/limits.ts`,
    area: 'setRateLimit',
    find: 'const isRunning = now < queue.windowEnd;',
    replace: 'const isRunning = now <= queue.windowEnd;',
  },
  {
    name: 'forgets what was counted when the rate changes',
    file: `${embedded}/limits.ts`,
    area: 'setRateLimit',
    find: '  step.queue.max = limit?.max ?? null;\n',
    replace: '  step.queue.max = limit?.max ?? null;\n  step.queue.windowUsed = 0;\n',
  },
  {
    name: 'looks at the rate before the ceiling',
    file: `${embedded}/claim.ts`,
    area: 'setCeiling',
    find: "  if (room <= 0) {\n    return { jobs: [], token, iterations: [], idle: idle(step, 'blocked') };\n  }\n",
    replace:
      "  if (room <= 0) {\n    countPermits(step, request.limiter, 1);\n    return { jobs: [], token, iterations: [], idle: idle(step, 'blocked') };\n  }\n",
  },
  {
    name: 'wakes workers for jobs that the ceiling holds back',
    file: `${embedded}/queue-signals.ts`,
    area: 'waitForWork',
    find: ' || isMaxed(store, queueName)',
    replace: '',
  },
  {
    name: 'wakes nobody when a limit is lifted',
    file: `${embedded}/queue-signals.ts`,
    area: 'waitForWork',
    find: 'if (step.hasLifted) {',
    replace: 'if (step.hasLifted && step.hasEvents) {',
  },
  {
    name: 'lets a limit that was lifted before be waited for',
    file: `${embedded}/queue-signals.ts`,
    area: 'waitForWork',
    find: 'return this.#isLimited(limited.limiter) ? this.#limited.enter(owner, block, signal) : true;',
    replace: 'return this.#limited.enter(owner, block, signal);',
  },
  {
    name: 'waits for work where a rate limit holds jobs back',
    file: `${worker}/claim-loop.ts`,
    area: 'engine: limiting',
    find: 'if (isLimited && !isLifted) {',
    replace: 'if (isLimited && isLifted) {',
  },
  {
    name: 'waits for the end of a limit however long that is',
    file: `${worker}/work-wait.ts`,
    area: 'engine: limiting',
    find: 'Math.max(1, Math.min(millis, maximumRateLimitDelay))',
    replace: 'Math.max(1, millis, maximumRateLimitDelay)',
  },
  {
    name: 'claims no more at once when its concurrency is raised',
    file: `${worker}/worker.ts`,
    area: 'engine: limiting',
    find: '    this.#runner?.adjust();\n',
    replace: '',
  },
  {
    name: 'knows no rate limit error of another package',
    file: `${worker}/control-errors.ts`,
    area: 'engine: limiting',
    find: "    textProperty(error, 'message') === LIMITED ||\n",
    replace: '',
  },
  {
    name: 'lifts the limit that a worker sets by hand',
    file: `${worker}/worker.ts`,
    area: 'engine: second ways',
    find: 'backend.limitClaims({ duration: millis }',
    replace: 'backend.limitClaims({ duration: null }',
  },
];
