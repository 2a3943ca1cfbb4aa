import { median, noiseOf, percentile } from './statistics.mjs';

/**
 * @typedef {import('./measure.mjs').Figures} Figures
 *
 * @typedef {{ name: string, backend: string, jobs: number }} Measured
 *
 * @typedef {object} ScenarioResult
 * @property {string} name
 * @property {string} backend
 * @property {number} rounds
 * @property {number} jobs
 * @property {Figures | null} ours Medians over the rounds; `null` when ours was left out.
 * @property {Record<string, Figures>} peers Medians over the rounds.
 * @property {Record<string, Ratio>} ratio
 * @property {Control} [control]
 *
 * @typedef {{ [Key in keyof Figures]: number | null } & { spread: [number, number], extra: Extra }} Ratio
 * Median over the rounds of ours divided by the peer's; `spread` is the least and the greatest, of jobs a second, or of p50 where these
 * are not counted.
 *
 * @typedef {object} Extra
 * Node time a job that the peer takes more than ours.
 * @property {number} micros Median over the rounds.
 * @property {number | null} scatter How far the central half of the rounds is from the median; `null` when there are too few.
 *
 * @typedef {object} Control
 * A second measurement of a peer in the same rounds.
 * @property {string} of The peer.
 * @property {Figures} figures Medians over the rounds.
 * @property {Ratio} ratio The peer divided by its second measurement.
 * @property {{ [Key in keyof Figures]: number | null }} noise How far the central half of these ratios is from 1;
 * `null` when there are too few of them.
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
 * @param {Measured} scenario
 * @param {readonly Figures[]} ours One per round, or none at all.
 * @param {Readonly<Record<string, readonly Figures[]>>} peers One per round, by peer.
 * @param {{ of: string, rounds: readonly Figures[] }} [control]
 * @returns {ScenarioResult}
 */
export function summarise(scenario, ours, peers, control) {
  const { name, backend, jobs } = scenario;
  const every = Object.entries(peers);
  return {
    name,
    backend,
    rounds: Math.max(ours.length, ...every.map(([, rounds]) => rounds.length)),
    jobs,
    ours: ours.length === 0 ? null : medians(ours),
    peers: Object.fromEntries(every.map(([peer, rounds]) => [peer, medians(rounds)])),
    ratio:
      ours.length === 0
        ? {}
        : Object.fromEntries(every.map(([peer, rounds]) => [peer, ratioOf(ours, rounds)])),
    ...(control !== undefined && { control: controlOf(control, peers[control.of] ?? []) }),
  };
}

/** Fewer ratios have no central half that says anything. */
const LEAST_ROUNDS_OF_NOISE = 3;

/**
 * @param {{ of: string, rounds: readonly Figures[] }} control
 * @param {readonly Figures[]} first
 * @returns {Control}
 */
function controlOf({ of, rounds }, first) {
  /** @param {keyof Figures} figure */
  const noise = (figure) =>
    rounds.length < LEAST_ROUNDS_OF_NOISE ? null : ofKnown(ratiosOf(figure, first, rounds), noiseOf);
  return {
    of,
    figures: medians(rounds),
    ratio: ratioOf(first, rounds),
    noise: /** @type {Control['noise']} */ (
      Object.fromEntries(FIGURES.map((figure) => [figure, noise(figure)]))
    ),
  };
}

/**
 * @param {readonly Figures[]} rounds
 * @returns {Figures}
 */
function medians(rounds) {
  return /** @type {Figures} */ (
    Object.fromEntries(
      FIGURES.map((figure) => [
        figure,
        ofKnown(
          rounds.map((round) => round[figure]),
          median,
        ),
      ]),
    )
  );
}

/**
 * @param {readonly Figures[]} ours
 * @param {readonly Figures[]} theirs
 * @returns {Ratio}
 */
function ratioOf(ours, theirs) {
  const [speeds = []] = /** @type {const} */ (['jobsPerSecond', 'p50Micros'])
    .map((figure) => ratiosOf(figure, ours, theirs).filter((ratio) => ratio !== null))
    .filter(({ length }) => length > 0);
  return /** @type {Ratio} */ ({
    ...Object.fromEntries(FIGURES.map((figure) => [figure, ofKnown(ratiosOf(figure, ours, theirs), median)])),
    spread: [Math.min(...speeds), Math.max(...speeds)],
    extra: extraOf(ours, theirs),
  });
}

/**
 * @param {readonly Figures[]} ours
 * @param {readonly Figures[]} theirs
 * @returns {Extra}
 */
function extraOf(ours, theirs) {
  const rounds = ours.map(({ nodeMicros }, index) => (theirs[index]?.nodeMicros ?? NaN) - nodeMicros);
  const scatter = (percentile(rounds, 75) - percentile(rounds, 25)) / 2;
  return { micros: median(rounds), scatter: rounds.length < LEAST_ROUNDS_OF_NOISE ? null : scatter };
}

/**
 * One figure of each round, divided by the same figure of the other in the same round.
 *
 * @param {keyof Figures} figure
 * @param {readonly Figures[]} ours
 * @param {readonly Figures[]} theirs
 */
function ratiosOf(figure, ours, theirs) {
  return ours.map((round, index) => {
    const mine = round[figure];
    const other = theirs[index]?.[figure];
    return mine == null || other == null || other === 0 ? null : mine / other;
  });
}

/**
 * @param {readonly (number | null)[]} values
 * @param {(values: readonly number[]) => number} boil
 */
function ofKnown(values, boil) {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? boil(known) : null;
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
    const { name, backend, rounds, ours, peers, ratio, control } = result;
    const first =
      ours === null
        ? [name, backend, '', '', '', '', '', String(rounds)]
        : row(name, backend, ours, String(rounds));
    return [
      first,
      ...Object.entries(peers).map(([peer, figures]) => row(`  ${peer}`, backend, figures, '')),
      ...(control === undefined ? [] : [row(`  ${control.of} again`, backend, control.figures, '')]),
      ...Object.entries(ratio).map(([peer, figures]) =>
        row(`  ours / ${peer}`, backend, figures, spreadOf(figures)),
      ),
      ...(control === undefined
        ? []
        : [row(`  ${control.of} / ${control.of} again`, backend, control.ratio, spreadOf(control.ratio))]),
    ];
  });
  return align([header, ...rows], 2);
}

const FIGURE_NAMES = {
  jobsPerSecond: 'jobs/s',
  serverMicros: 'server µs/job',
  nodeMicros: 'node µs/job',
  p50Micros: 'p50 µs',
  p99Micros: 'p99 µs',
  extraNodeMicros: 'node µs/job more',
};

/**
 * @param {readonly import('./verdict.mjs').Judgement[]} judgements
 * @returns {string}
 */
export function renderJudgements(judgements) {
  const header = ['judged', 'scenario', 'figure', 'ours against', 'ratio', 'limit', 'noise', 'verdict'];
  const rows = judgements.map(
    ({ kind, scenario, figure, against, ratio, atLeast, atMost, noise, verdict }) => [
      kind,
      scenario,
      FIGURE_NAMES[figure],
      against,
      ratio.toFixed(3),
      atLeast === undefined ? `<= ${show(atMost ?? null)}` : `>= ${show(atLeast)}`,
      noise === null ? '-' : noise.toFixed(3),
      verdict,
    ],
  );
  return align([header, ...rows], 4);
}

/**
 * @param {readonly (readonly string[])[]} table The header first.
 * @param {number} texts Columns of text, before those of numbers.
 */
function align(table, texts) {
  const [header = [], ...rows] = table;
  const widths = header.map((_title, column) =>
    Math.max(...table.map((cells) => (cells[column] ?? '').length)),
  );
  return [header, widths.map((width) => '-'.repeat(width)), ...rows]
    .map((cells) =>
      cells
        .map((cell, column) =>
          column < texts ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
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
