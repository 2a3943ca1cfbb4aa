// Faults of time limits in the embedded state machine, and of what the worker makes of them.

const embedded = 'lib/backends/embedded';
const worker = 'lib/engine/worker';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'lets a job expire a millisecond late',
    file: `${embedded}/expiry.ts`,
    area: 'claimJobs',
    find: 'row.expiresAt <= now',
    replace: 'row.expiresAt < now',
  },
  {
    name: 'lets a job expire that was started once',
    file: `${embedded}/expiry.ts`,
    area: 'claimJobs',
    find: '  return row.expiresAt !== null && row.attemptsStarted === 0 && row.expiresAt <= now;',
    replace: '  return row.expiresAt !== null && row.expiresAt <= now;',
  },
  {
    name: 'counts the time of a delayed job from its adding',
    file: `${embedded}/intake.ts`,
    area: 'addJobs',
    find: 'countExpiry(step, row, timestamp + row.delay);',
    replace: 'countExpiry(step, row, timestamp);',
  },
  {
    name: 'spends permits on what has expired',
    file: `${embedded}/claim.ts`,
    area: 'claimJobs',
    find: ' && !hasExpired(step, row)',
    replace: '',
  },
  {
    name: 'keeps the old time when a delay changes',
    file: `${embedded}/moves.ts`,
    area: 'changeDelays',
    find: '    recountExpiry(step, row, row.order);\n',
    replace: '',
  },
  {
    name: 'lets a job expire again that is retried',
    file: `${embedded}/moves.ts`,
    area: 'retryJobs',
    find: '  row.expiresAt = null;\n',
    replace: '',
  },
  {
    name: 'finds a started job still where those are that expire',
    file: `${embedded}/leases.ts`,
    area: 'claimExpiredJobs',
    find: '  forgetExpiry(step, row);\n',
    replace: '',
  },
  {
    name: 'drains jobs without what tells when they expire',
    file: `${embedded}/removal.ts`,
    area: 'claimExpiredJobs',
    find: "if (store.count('expiriesByTime', [queueName]) > 0) {",
    replace: "if (store.count('expiriesByTime', [queueName]) < 0) {",
  },
  {
    name: 'says nothing of more that have expired',
    file: `${embedded}/expired-claim.ts`,
    area: 'claimExpiredJobs',
    find: 'more: expiries.length > count',
    replace: 'more: false',
  },
  {
    name: 'tells of no time that a delayed job has come to before it expired',
    file: `${embedded}/expired-claim.ts`,
    area: 'claimExpiredJobs',
    find: "      step.emit({ event: 'waiting', jobId: row.id, prev: 'delayed' });\n",
    replace: '',
  },
  {
    name: 'fails nothing that has expired and that nobody claims',
    file: `${worker}/abandoned-job-recovery.ts`,
    area: 'engine: time limits',
    find: '        await this.expired.fail(signal);\n',
    replace: '',
  },
  {
    name: 'retries a job that has expired',
    file: `${worker}/job-outcome.ts`,
    area: 'engine: time limits',
    find: '  if (end instanceof JobExpiredError) {\n    return true;\n  }\n',
    replace: '',
  },
  {
    name: 'takes the timeout of another job for its own',
    file: `${worker}/job-outcome.ts`,
    area: 'engine: time limits',
    find: 'isEnd && error.jobId === job.id && error.queueName === job.queueName',
    replace: 'isEnd',
  },
  {
    name: 'keeps the slot of a handler that does not end',
    file: `${worker}/job-executor.ts`,
    area: 'engine: time limits',
    find: '    active.setTimer(this.clock, this.options.timeoutGrace, () => this.abandonOverrun(active));\n',
    replace: '',
  },
  {
    name: 'aborts no signal when the time is over',
    file: `${worker}/job-executor.ts`,
    area: 'engine: time limits',
    find: '    active.cancel(active.overrun);\n',
    replace: '',
  },
  {
    name: 'has the limit of the worker go before that of the job',
    file: `${worker}/job-executor.ts`,
    area: 'engine: time limits',
    find: 'active.job.timeout ?? ofHandler ?? this.options.timeout',
    replace: 'this.options.timeout ?? ofHandler ?? active.job.timeout',
  },
  {
    name: 'fails with what the handler threw that was told to end',
    file: `${worker}/job-executor.ts`,
    area: 'engine: time limits',
    find: 'if (overrun !== undefined && cancelled === undefined) {',
    replace: 'if (overrun === error) {',
  },
  {
    name: 'takes a job that took too long and was cancelled for one to retry',
    file: `${worker}/job-executor.ts`,
    area: 'engine: time limits',
    find: '    if (active.cancelled !== undefined) {\n',
    replace: '    if (active.cancelled !== undefined && active.overrun === undefined) {\n',
  },
  {
    name: 'hands a job back that took too long, when its worker closes',
    file: `${worker}/job-runner.ts`,
    area: 'engine: time limits',
    find: 'active.settleNow() || this.executor.abandonOverrun(active)',
    replace: 'active.settleNow()',
  },
  {
    name: 'fails a job that its handler has moved',
    file: `${worker}/job-executor.ts`,
    area: 'engine: time limits',
    find: 'hasLeft ? active.finished!(undefined) : this.#fail(active, overrun, active.finished!)',
    replace: 'this.#fail(active, overrun, active.finished!)',
  },
];
