// Faults of cancelling in the embedded state machine and in the engine, which the conformance suite has to notice.

const embedded = 'lib/backends/embedded';
const worker = 'lib/engine/worker';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'goes by the last reason that a held job was given',
    file: `${embedded}/cancelling.ts`,
    area: 'cancelJobs',
    find: 'row.cancelReason ??= reason;',
    replace: 'row.cancelReason = reason;',
  },
  {
    name: 'says that whoever holds a job can be told',
    file: `${embedded}/cancelling.ts`,
    area: 'cancelJobs',
    find: "    return 'unreachable';",
    replace: "    return 'requested';",
  },
  {
    name: 'tells that nothing is left when a job ends that was held back',
    file: `${embedded}/cancelling.ts`,
    area: 'cancelJobs',
    find: "hadWork ||= row!.state !== 'delayed';",
    replace: 'hadWork = true;',
  },
  {
    name: 'cancels a job that has completed',
    file: `${embedded}/cancelling.ts`,
    area: 'cancelJobs',
    find: "row.state === 'completed' || row.state === 'failed'",
    replace: "row.state === 'failed'",
  },
  {
    name: 'keeps all jobs that are cancelled',
    file: `${embedded}/endings.ts`,
    area: 'cancelJobs',
    find: 'resolveRetention(readJobOptions(row.options).removeOnFail, undefined)',
    replace: 'resolveRetention(undefined, undefined)',
  },
  {
    name: 'forgets to forget the request for a cancel when a job has ended',
    file: `${embedded}/endings.ts`,
    area: 'settleJobs',
    find: '  row.cancelReason = null;\n',
    replace: '',
  },
  {
    name: 'has a job run again whose cancel was requested',
    file: `${embedded}/settle.ts`,
    area: 'settleJobs',
    find: 'if (row.cancelReason !== null) {',
    replace: "if (row.cancelReason !== null && outcome.kind !== 'handed-back') {",
  },
  {
    name: 'fails a job whose cancel was requested for what its holder says',
    file: `${embedded}/settle.ts`,
    area: 'settleJobs',
    find: 'cancelReason === null ? outcome : {',
    replace: 'true ? outcome : {',
  },
  {
    name: 'has a job that is to fail as cancelled wait for a permit',
    file: `${embedded}/claim.ts`,
    area: 'claimJobs',
    find: 'row.deferredFailure === null && row.cancelReason === null',
    replace: 'row.deferredFailure === null',
  },
  {
    name: 'does not tell who renews a lease that its job was cancelled',
    file: `${embedded}/leases.ts`,
    area: 'renewLeases',
    find: 'if (found.cancelReason !== null) {',
    replace: 'if (found.cancelReason === undefined) {',
  },
  {
    name: 'loses news of cancelled jobs for who does not wait',
    file: `${embedded}/queue-signals.ts`,
    area: 'waitForWork',
    find: '    } else if (this.#kept.length < MOST_KEPT) {',
    replace: '    } else if (this.#kept.length > MOST_KEPT) {',
  },
  {
    name: 'wakes a busy handle when there is work',
    file: `${embedded}/queue-signals.ts`,
    area: 'waitForWork',
    find: '      return this.#busy.enter(owner, block, signal);',
    replace: '      return this.#workers.enter(owner, block, signal);',
  },
  {
    name: 'hears of no cancel while its hands are full',
    file: `${worker}/claim-loop.ts`,
    area: 'engine: cancelling',
    find: '} else if (this.#running > 0) {',
    replace: '} else if (this.#running < 0) {',
  },
  {
    name: 'retries a cancelled job',
    file: `${worker}/job-executor.ts`,
    area: 'engine: cancelling',
    find: '    if (active.cancelled !== undefined) {\n      const cause',
    replace: '    if (active.cancelled === null) {\n      const cause',
  },
  {
    name: 'runs a job that comes with the note of its cancel',
    file: `${worker}/job-executor.ts`,
    area: 'engine: cancelling',
    find: 'const refusal = active.cancelled ?? refusalToRun(',
    replace: 'const refusal = refusalToRun(',
  },
  {
    name: 'gives a job to who fetches that comes with the note of its cancel',
    file: 'lib/engine/by-hand/job-fetcher.ts',
    area: 'engine: cancelling',
    find: 'cancelOf(record, this.owner.queueName) ??',
    replace: 'null ??',
  },
  {
    name: 'takes no news from the renewal of leases',
    file: `${worker}/lease-keeper.ts`,
    area: 'engine: cancelling',
    find: '    cancels.forEach((notice) => this.listener.onCancel(notice));\n',
    replace: '',
  },
  {
    name: 'tells who waits for a cancelled job that it has failed',
    file: 'lib/engine/events/job-result.ts',
    area: 'engine: cancelling',
    find: 'end.code === CANCELLED_CODE',
    replace: 'end.code === undefined',
  },
];
