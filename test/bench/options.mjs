import { parseArgs } from 'node:util';

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {number} rounds
 * @property {readonly string[]} backends
 * @property {readonly string[]} libraries
 * @property {readonly string[]} scenarios Empty for all.
 * @property {boolean} profile
 * @property {boolean} judge
 * @property {string} [json]
 * @property {boolean} help
 */

export const FULL_ROUNDS = 7;

/**
 * @param {readonly string[]} words
 * @param {{ backends: readonly string[], libraries: readonly string[], scenarios: readonly string[] }} known
 * @returns {Options}
 * @throws Error that says what is wrong
 */
export function parseOptions(words, known) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      backend: { type: 'string' },
      libraries: { type: 'string' },
      scenario: { type: 'string' },
      only: { type: 'string' },
      profile: { type: 'boolean', default: false },
      judge: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { quick, profile, judge, json, help } = values;
  const rounds = values.rounds === undefined ? (quick ? 1 : FULL_ROUNDS) : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds takes a whole number of at least 1, not "${values.rounds}".`);
  }
  if (judge && (quick || rounds < FULL_ROUNDS)) {
    throw new Error(`--judge needs a full run of at least ${FULL_ROUNDS} rounds: others say too little.`);
  }
  return {
    quick,
    rounds,
    backends: namesOf('backend', values.backend, known.backends) ?? known.backends,
    libraries: namesOf('library', values.libraries, known.libraries) ?? known.libraries,
    scenarios: [
      ...(namesOf('scenario', values.scenario, known.scenarios) ?? []),
      ...(namesOf('scenario', values.only, known.scenarios) ?? []),
    ],
    profile,
    judge,
    ...(json !== undefined && { json }),
    help,
  };
}

/**
 * @param {string} what
 * @param {string | undefined} list
 * @param {readonly string[]} known
 */
function namesOf(what, list, known) {
  const names = list?.split(',');
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no ${what} "${unknown}". Known: ${known.join(', ')}.`);
  }
  return names;
}
