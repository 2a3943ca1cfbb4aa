/**
 * @typedef {import('./floors.mjs').Limit} Limit
 * @typedef {import('./report.mjs').ScenarioResult} ScenarioResult
 *
 * @typedef {'met' | 'missed' | 'undecided'} Verdict
 *
 * @typedef {Limit & { backend: string, ratio: number, noise: number | null, verdict: Verdict }} Judgement
 */

/**
 * Holds the results against the limits that speak of them.
 *
 * @param {readonly Limit[]} limits
 * @param {readonly ScenarioResult[]} results
 * @returns {Judgement[]}
 */
export function judge(limits, results) {
  return limits.flatMap((limit) => {
    const result = results.find(({ name, ratio }) => name === limit.scenario && limit.against in ratio);
    const { ratio, noise } = result === undefined ? NOTHING : measuredOf(limit, result);
    if (result === undefined || ratio === null) {
      return [];
    }
    return [{ ...limit, backend: result.backend, ratio, noise, verdict: verdictOn(limit, ratio, noise) }];
  });
}

const NOTHING = { ratio: null, noise: null };

/**
 * @param {Limit} limit
 * @param {ScenarioResult} result
 * @returns {{ ratio: number | null, noise: number | null }}
 */
function measuredOf({ against, figure, atMost = 0 }, { ratio, control }) {
  if (figure !== 'extraNodeMicros') {
    return { ratio: ratio[against]?.[figure] ?? null, noise: control?.noise[figure] ?? null };
  }
  const { micros = null, scatter = null } = ratio[against]?.extra ?? {};
  return { ratio: micros, noise: scatter === null ? null : scatter / atMost };
}

/**
 * A ratio that is closer to its limit than two measurements of the same thing are to each other decides nothing.
 *
 * @param {{ atLeast?: number, atMost?: number }} limit
 * @param {number} ratio
 * @param {number | null} noise As a share; `null` when it was not measured.
 * @returns {Verdict}
 */
export function verdictOn({ atLeast, atMost }, ratio, noise) {
  const bound = atLeast ?? atMost;
  if (bound === undefined) {
    throw new Error('A limit says at least or at most how much');
  }
  if (noise === null || Math.abs(ratio / bound - 1) < noise) {
    return 'undecided';
  }
  return (atLeast === undefined ? ratio <= bound : ratio >= bound) ? 'met' : 'missed';
}

/** @param {readonly Judgement[]} judgements */
export function missedFloors(judgements) {
  return judgements.filter(({ kind, verdict }) => kind === 'floor' && verdict === 'missed');
}
