import { median } from './statistics.mjs';

/**
 * @typedef {import('./measure.mjs').Figures} Figures
 *
 * @typedef {object} ScenarioResult
 * @property {string} name
 * @property {string} backend
 * @property {number} rounds
 * @property {number} jobs
 * @property {Figures} ours Medians over the rounds.
 * @property {Record<string, Figures>} peers Medians over the rounds.
 * @property {Record<string, Ratio>} ratio
 *
 * @typedef {{ [Key in keyof Figures]: number | null } & { spread: [number, number] }} Ratio
 * Median over the rounds of ours divided by the peer's; `spread` is the least and the greatest of jobs a second.
 */

const FIGURES = /** @type {const} */ ([
  'jobsPerSecond',
  'serverMicros',
  'nodeMicros',
  'p50Micros',
  'p99Micros',
]);

/**
 * Boils the rounds of a scenario down to medians, and to ratios that were taken round by round.
 *
 * @param {{ name: string, backend: string, jobs: number }} scenario
 * @param {readonly Figures[]} ours One per round.
 * @param {Readonly<Record<string, readonly Figures[]>>} peers One per round, by peer.
 * @returns {ScenarioResult}
 */
export function summarise(scenario, ours, peers) {
  return {
    name: scenario.name,
    backend: scenario.backend,
    rounds: ours.length,
    jobs: scenario.jobs,
    ours: medians(ours),
    peers: Object.fromEntries(Object.entries(peers).map(([peer, rounds]) => [peer, medians(rounds)])),
    ratio: Object.fromEntries(Object.entries(peers).map(([peer, rounds]) => [peer, ratioOf(ours, rounds)])),
  };
}

/**
 * @param {readonly Figures[]} rounds
 * @returns {Figures}
 */
function medians(rounds) {
  return /** @type {Figures} */ (
    Object.fromEntries(FIGURES.map((figure) => [figure, medianOrNull(rounds.map((round) => round[figure]))]))
  );
}

/**
 * @param {readonly Figures[]} ours
 * @param {readonly Figures[]} theirs
 * @returns {Ratio}
 */
function ratioOf(ours, theirs) {
  /** @param {keyof Figures} figure */
  const ratios = (figure) =>
    ours.map((round, index) => {
      const mine = round[figure];
      const other = theirs[index]?.[figure];
      return mine == null || other == null || other === 0 ? null : mine / other;
    });
  const speeds = ratios('jobsPerSecond').filter((ratio) => ratio !== null);
  return /** @type {Ratio} */ ({
    ...Object.fromEntries(FIGURES.map((figure) => [figure, medianOrNull(ratios(figure))])),
    spread: [Math.min(...speeds), Math.max(...speeds)],
  });
}

/** @param {readonly (number | null)[]} values */
function medianOrNull(values) {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? median(known) : null;
}

/**
 * @param {readonly ScenarioResult[]} results
 * @returns {string}
 */
export function renderTable(results) {
  const header = [
    'scenario',
    'backend',
    'jobs/s',
    'node µs/job',
    'server µs/job',
    'p50 µs',
    'p99 µs',
    'rounds',
  ];
  const rows = results.flatMap((result) => {
    const { name, backend, rounds, ours, peers, ratio } = result;
    return [
      row(name, backend, ours, String(rounds)),
      ...Object.entries(peers).map(([peer, figures]) => row(`  ${peer}`, backend, figures, '')),
      ...Object.entries(ratio).map(([peer, figures]) =>
        row(`  ours / ${peer}`, backend, figures, spreadOf(figures)),
      ),
    ];
  });
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => (cells[column] ?? '').length)),
  );
  return [header, widths.map((width) => '-'.repeat(width)), ...rows]
    .map((cells) =>
      cells
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * @param {string} name
 * @param {string} backend
 * @param {{ [Key in keyof Figures]: number | null }} figures
 * @param {string} last
 */
function row(name, backend, figures, last) {
  const { jobsPerSecond, nodeMicros, serverMicros, p50Micros, p99Micros } = figures;
  return [name, backend, ...[jobsPerSecond, nodeMicros, serverMicros, p50Micros, p99Micros].map(show), last];
}

/** @param {Ratio} ratio */
function spreadOf(ratio) {
  return `${show(ratio.spread[0])} to ${show(ratio.spread[1])}`;
}

/** @param {number | null} value */
function show(value) {
  if (value === null) {
    return '-';
  }
  return value >= 1_000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
}
