// Faults of how runs end by hand or by their own handlers, in the engine and in the embedded state machine, which the
// conformance suite has to notice.

const embedded = 'lib/backends/embedded';
const worker = 'lib/engine/worker';
const byHand = 'lib/engine/by-hand';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'leases jobs under the token of the call, whatever was asked for',
    file: `${embedded}/claim.ts`,
    area: 'claimJobs',
    find: 'request.token ?? leaseTokenOf(call)',
    replace: 'leaseTokenOf(call)',
  },
  {
    name: 'forgets jobs of a repeated call that are leased under a given token',
    file: `${embedded}/reply-slots.ts`,
    area: 'claimJobs',
    find: 'row.token === claim.token',
    replace: "row.token === claim.token && claim.token.includes(':w')",
  },
  {
    name: 'holds jobs back until a time that has passed',
    file: `${embedded}/settle.ts`,
    area: 'settleJobs',
    find: 'Math.max(0, outcome.until - step.now)',
    replace: 'outcome.until - step.now',
  },
  {
    name: 'settles jobs that their handlers have moved',
    file: `${worker}/job-executor.ts`,
    area: 'engine: putting off',
    find: '      finished(undefined);\n',
    replace: '      finished(this.#failed(active, error));\n',
  },
  {
    name: 'knows control errors by their class alone',
    file: `${worker}/control-errors.ts`,
    area: 'engine: putting off',
    find: "    MOVED.has(textProperty(error, 'name')) ||\n    MOVED.has(textProperty(error, 'message'))",
    replace: '    false',
  },
  {
    name: 'renews the lease of a job that has left',
    file: `${worker}/job-runner.ts`,
    area: 'engine: putting off',
    find: '        active.hasLeft = true;\n        this.#leases.release(active);\n',
    replace: '        active.hasLeft = true;\n        active.leaving = undefined;\n',
  },
  {
    name: 'retries a job that may not start again',
    file: `${worker}/job-outcome.ts`,
    area: 'engine: putting off',
    find: ' && job.attemptsStarted < maxStartedAttempts',
    replace: '',
  },
  {
    name: 'runs a job once more than it may start',
    file: `${worker}/job-outcome.ts`,
    area: 'engine: putting off',
    find: 'job.attemptsStarted > maxStartedAttempts',
    replace: 'job.attemptsStarted > maxStartedAttempts + 1',
  },
  {
    name: 'hands back a cancelled job, whatever its handler makes of it',
    file: `${worker}/active-job.ts`,
    area: 'engine: cancelling',
    find: '  cancel(reason: unknown): void {\n',
    replace: '  cancel(reason: unknown): void {\n    this.#isAborted = true;\n',
  },
  {
    name: 'gives a job to who fetches that must not run any more',
    file: `${byHand}/job-fetcher.ts`,
    area: 'engine: fetching',
    find: 'if (refusal !== null) {',
    replace: 'if (refusal === undefined) {',
  },
  {
    name: 'keeps the job that came with an outcome which was refused',
    file: `${byHand}/leased-runs.ts`,
    area: 'engine: fetching',
    find: '      await this.fetcher.handBack([next], token);\n',
    replace: '',
  },
  {
    name: 'waits for a job although it is told not to',
    file: `${byHand}/manual-fetching.ts`,
    area: 'engine: fetching',
    find: 'job !== undefined || !block || !this.mayWait()',
    replace: 'job !== undefined || !this.mayWait()',
  },
  {
    name: 'delivers a job while the worker closes',
    file: `${byHand}/manual-fetching.ts`,
    area: 'engine: fetching',
    find: 'job !== undefined && this.#isClosed',
    replace: 'job !== undefined && this.#isClosed && token === undefined',
  },
  {
    name: 'takes its time for a close that is hurried',
    file: `${worker}/drain.ts`,
    area: 'engine: stopping',
    find: 'worker.handlersEnded(), bounds.drain, hurry)',
    replace: 'worker.handlersEnded(), bounds.drain)',
  },
];
