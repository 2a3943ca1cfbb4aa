/**
 * What the figures have to keep to, as the median of ratios taken round by round: ours divided by the other's. For
 * `extraNodeMicros` it is what the other takes more.
 *
 * @typedef {object} Limit
 * @property {'floor' | 'aim'} kind A floor that is missed fails `--judge`; an aim is reported only.
 * @property {string} scenario
 * @property {string} against Name of the peer.
 * @property {keyof import('./measure.mjs').Figures | 'extraNodeMicros'} figure
 * @property {number} [atLeast]
 * @property {number} [atMost]
 */

const FROM_TEN_UP = ['process-c10', 'process-c50', 'process-c200'];

/** @type {readonly Limit[]} */
export const LIMITS = [
  floor('process-c1', 'jobsPerSecond', { atLeast: 0.95 }),
  floor('process-c10', 'jobsPerSecond', { atLeast: 2 }),
  floor('process-c50', 'jobsPerSecond', { atLeast: 2.5 }),
  floor('process-c200', 'jobsPerSecond', { atLeast: 2.5 }),
  ...FROM_TEN_UP.map((scenario) => floor(scenario, 'serverMicros', { atMost: 0.4 })),
  ...FROM_TEN_UP.map((scenario) => floor(scenario, 'nodeMicros', { atMost: 0.35 })),
  floor('add', 'jobsPerSecond', { atLeast: 2.5 }),
  floor('add-bulk-1000', 'jobsPerSecond', { atLeast: 4 }),
  floor('latency', 'p50Micros', { atMost: 1.1 }),
  floor('latency', 'p99Micros', { atMost: 1.25 }),
  floor('process-c50-active-elsewhere', 'jobsPerSecond', { atLeast: 0.85 }, 'alone'),
  floor('process-c50-many-waiting', 'jobsPerSecond', { atLeast: 0.85 }, 'alone'),
  floor('process-c50', 'extraNodeMicros', { atMost: 4 }, 'nest'),
  floor('process-c50', 'extraNodeMicros', { atMost: 14 }, 'nest-enhanced'),
  ...FROM_TEN_UP.map((scenario) => aim(scenario, 'bullmq', 3)),
  ...FROM_TEN_UP.map((scenario) => aim(scenario, 'bee-queue', 1)),
];

/**
 * @param {string} scenario
 * @param {Limit['figure']} figure
 * @param {{ atLeast: number } | { atMost: number }} bound
 * @param {string} against
 * @returns {Limit}
 */
function floor(scenario, figure, bound, against = 'bullmq') {
  return { kind: 'floor', scenario, against, figure, ...bound };
}

/**
 * @param {string} scenario
 * @param {string} against
 * @param {number} atLeast
 * @returns {Limit}
 */
function aim(scenario, against, atLeast) {
  return { kind: 'aim', scenario, against, figure: 'jobsPerSecond', atLeast };
}
