import { parseArgs } from 'node:util';

export const HELP = `npm run soak -- [options]

Works one queue on Redis for a while with two worker processes of nestjs-lane and one of bullmq, under mixed load and with
random kills, then lets it run dry and looks whether every job is accounted for, none finished twice, counts add up, and
neither memory nor keys grew beyond retention. Exits with code 1 when something is wrong.

  --minutes N   how long jobs are added (default 10)
  --rate N      jobs added a second (default 300)
  --bullmq N    major version of bullmq: 5 or 6 (default 6)
  --seed N      of all that is random but for time itself (default: a new one, which is printed)
  --help        this text
`;

/**
 * @typedef {object} SoakOptions
 * @property {number} minutes
 * @property {number} rate
 * @property {5 | 6} bullmq
 * @property {number} seed
 * @property {boolean} help
 */

/**
 * @param {readonly string[]} words
 * @returns {SoakOptions}
 * @throws Error that says what is wrong
 */
export function parseOptions(words) {
  const text = { type: /** @type {const} */ ('string') };
  const { values } = parseArgs({
    args: [...words],
    options: {
      minutes: text,
      rate: text,
      bullmq: text,
      seed: text,
      help: { type: 'boolean', default: false },
    },
  });
  const bullmq = numberOf('bullmq', values.bullmq ?? '6', 5, 6);
  if (bullmq !== 5 && bullmq !== 6) throw new Error('--bullmq takes 5 or 6.');
  return {
    minutes: numberOf('minutes', values.minutes ?? '10', 0.1, 24 * 60),
    rate: numberOf('rate', values.rate ?? '300', 1, 5_000),
    bullmq,
    seed: numberOf('seed', values.seed ?? String(Date.now() % 2 ** 31), 0, 2 ** 32 - 1),
    help: values.help,
  };
}

/**
 * @param {string} name
 * @param {string} value
 * @param {number} least
 * @param {number} most
 */
function numberOf(name, value, least, most) {
  const number = Number(value);
  if (value.trim() === '' || !(number >= least && number <= most)) {
    throw new Error(`--${name} takes a number from ${least} to ${most}, not "${value}".`);
  }
  return number;
}
