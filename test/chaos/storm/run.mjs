// Storms by hand: many seeds, or one again. See --help.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { root } from '../../../scripts/subpaths.mjs';

const help = `Takes random steps on memory and on Redis and compares what both answer, store and tell.

  npm run storm                              one storm of 1000 steps, of a new seed
  npm run storm -- --seeds 200               200 storms, of seeds that follow each other
  npm run storm -- --seed 7 --steps 300      the storm of a seed again

  --seeds N    how many storms. Default: 1
  --steps M    steps of each. Default: 1000
  --seed S     the first seed, 0 to 4294967295. Default: any
  --shrink T   seconds in which a storm that goes wrong is made shorter. Default: 60
`;

/** @type {Record<'seeds' | 'steps' | 'seed' | 'shrink', { least: number, given: string }>} */
const numbers = {
  seeds: { least: 1, given: '1' },
  steps: { least: 1, given: '1000' },
  seed: { least: 0, given: String(Math.floor(Math.random() * 2 ** 32)) },
  shrink: { least: 0, given: '60' },
};

try {
  process.exitCode = main();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 2;
}

function main() {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      steps: { type: 'string' },
      seed: { type: 'string' },
      shrink: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [seeds, steps, seed, shrink] = /** @type {const} */ (['seeds', 'steps', 'seed', 'shrink']).map(
    (name) => wholeNumber(name, values[name] ?? numbers[name].given),
  );
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--selectProjects=chaos',
    '--testPathPatterns=test/chaos/storm.spec',
  ];
  const { status } = spawnSync(process.execPath, jest, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      LANE_SEED: String(seed),
      LANE_STORM: JSON.stringify({ seeds, steps, shrink }),
    },
  });
  return status ?? 1;
}

/**
 * @param {keyof typeof numbers} name
 * @param {string} text
 */
function wholeNumber(name, text) {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(number >= numbers[name].least && number < 2 ** 32)) {
    throw new Error(
      `--${name} takes a whole number from ${numbers[name].least} to 4294967295, not "${text}".`,
    );
  }
  return number;
}
