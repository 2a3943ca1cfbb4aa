// Faults of what handlers say about their jobs, in the engine.

const worker = 'lib/engine/worker';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'takes an outcome for a result',
    file: `${worker}/job-executor.ts`,
    area: 'engine: outcomes',
    find: '    if (said === undefined) {',
    replace: "    if (said === undefined || said.kind === 'complete') {",
  },
  {
    name: 'takes an outcome that is thrown for a failure',
    file: `${worker}/job-executor.ts`,
    area: 'engine: outcomes',
    find: '    if (outcomeOf(thrown) !== undefined) {',
    replace: '    if (outcomeOf(thrown) !== undefined && false) {',
  },
  {
    name: 'lets what a handler says go before a cancel',
    file: `${worker}/job-executor.ts`,
    area: 'engine: outcomes',
    find: '    if (cancelled !== undefined || overrun !== undefined) {',
    replace: '    if (overrun !== undefined) {',
  },
  {
    name: 'lets what a handler says go before a timeout',
    file: `${worker}/job-executor.ts`,
    area: 'engine: outcomes',
    find: '    if (cancelled !== undefined || overrun !== undefined) {',
    replace: '    if (cancelled !== undefined) {',
  },
  {
    name: 'retries what was discarded after its timeout',
    file: `${worker}/job-executor.ts`,
    area: 'engine: outcomes',
    find: 'cancelled ?? discarded ?? overrun!',
    replace: 'cancelled ?? overrun!',
  },
  {
    name: 'tells of a snoozed job as of a failed one',
    file: `${worker}/job-runner.ts`,
    area: 'engine: outcomes',
    find: "} else if (outcome.kind === 'failed' || outcome.kind === 'retry') {",
    replace: "} else if (outcome.kind !== 'handed-back') {",
  },
  {
    name: 'keeps what is discarded and to be removed',
    file: `${worker}/job-outcome.ts`,
    area: 'engine: outcomes',
    find: 'return remove ? ',
    replace: 'return false ? ',
  },
  {
    name: 'sets no limit for a handler that has met one',
    file: `${worker}/worker.ts`,
    area: 'engine: outcomes',
    find: 'limitClaims: (millis) => this.rateLimit(millis)',
    replace: 'limitClaims: (millis) => Promise.resolve(void millis)',
  },
  {
    name: 'does not know a rate limit of another copy of the package',
    file: `${worker}/control-errors.ts`,
    area: 'engine: outcomes',
    find: "outcomeOf(error)?.kind === 'rate-limited'",
    replace: 'false',
  },
];
