/**
 * @param {readonly number[]} values At least one.
 * @returns {number}
 */
export function median(values) {
  return percentile(values, 50);
}

/**
 * The value below which that share of the values lies, between two neighbours if need be.
 *
 * @param {readonly number[]} values At least one.
 * @param {number} percent
 * @returns {number}
 */
export function percentile(values, percent) {
  const sorted = [...values].sort((left, right) => left - right);
  const position = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(position);
  const lower = sorted[below];
  const upper = sorted[Math.ceil(position)];
  if (lower === undefined || upper === undefined) {
    throw new Error('There are no values');
  }
  return lower + (upper - lower) * (position - below);
}

/**
 * How far ratios that should be 1 are from it: the greatest distance among the central half of them. It grows with
 * their scatter and with a bias alike, and a single disturbed round does not decide it.
 *
 * @param {readonly number[]} ratios At least one.
 * @returns {number}
 */
export function noiseOf(ratios) {
  return Math.max(Math.abs(percentile(ratios, 25) - 1), Math.abs(percentile(ratios, 75) - 1));
}
