// Faults of the embedded state machine and of the engine around jobs that are moved by hand.

const moves = 'lib/backends/embedded/moves.ts';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'moves jobs that are in another state',
    file: moves,
    find: 'return row.state === state ? row : Refusal.WrongState;',
    replace: 'return row;',
  },
  {
    name: 'keeps the delay of a promoted job',
    file: moves,
    find: '  row.delay = 0;\n',
    replace: '',
  },
  {
    name: 'promotes jobs before those that wait',
    file: moves,
    find: "  row.delay = 0;\n  enterReady(step, row, 'back');",
    replace: "  row.delay = 0;\n  enterReady(step, row, 'front');",
  },
  {
    name: 'moves as many jobs of a state as are asked for',
    file: moves,
    find: 'Math.min(count, MAX_MOVED)',
    replace: 'count',
  },
  {
    name: 'says that there is more when there is not',
    file: moves,
    find: 'more: rows.length > most',
    replace: 'more: rows.length >= most',
  },
  {
    name: 'retries jobs that ended later than wanted',
    file: moves,
    find: '{ to: until, limit: most + 1 }',
    replace: '{ limit: most + 1 }',
  },
  {
    name: 'leaves a job in its place whose priority is changed',
    file: moves,
    find: "row.state === 'waiting' || row.state === 'prioritized'",
    replace: "row.state === 'waiting'",
  },
  {
    name: 'puts retried jobs of a priority before the others',
    file: moves,
    find: "lifo && row.priority === 0 ? 'front' : 'back'",
    replace: "lifo ? 'front' : 'back'",
  },
  {
    name: 'keeps the code of a failure that is retried',
    file: moves,
    find: '    row.failedCode = null;\n',
    replace: '',
  },
  {
    name: 'retries jobs again that fail while all are retried',
    file: 'lib/engine/queue-moves.ts',
    area: 'engine: moving',
    find: '(await backend.getCounts())[state]',
    replace: '2 * (await backend.getCounts())[state]',
  },
];
