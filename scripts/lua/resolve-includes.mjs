// In which order the includes of a command are written in front of it.

/** @typedef {import('./read-source.mjs').Source} Source */

/**
 * Everything that a file needs, each once, and each behind what it needs itself.
 *
 * @param {Source} source
 * @param {Map<string, Source>} includes by name
 * @returns {Source[]}
 */
export function includesInOrder(source, includes) {
  /** @type {Set<Source>} */
  const seen = new Set([source]);
  /** @type {Source[]} */
  const order = [];
  /** @param {Source} each */
  const visit = (each) => {
    for (const { name } of each.includes) {
      const include = includes.get(name);
      if (!include || seen.has(include)) continue;
      seen.add(include);
      visit(include);
      order.push(include);
    }
  };
  visit(source);
  return order;
}

/**
 * @param {Source[]} sources
 * @param {Map<string, Source>} includes by name
 */
export function checkIncludes(sources, includes) {
  for (const { includes: declared, report } of sources) {
    for (const { name, line } of declared) {
      if (!includes.has(name)) report(line, `There is no include ${name}.`);
    }
  }
  /** @type {Set<Source>} */
  const done = new Set();
  for (const include of includes.values()) checkCycles(include, [], done, includes);
}

/**
 * Each cycle is reported once, at the line that closes it.
 *
 * @param {Source} include
 * @param {Source[]} path those that led here
 * @param {Set<Source>} done those whose cycles are known
 * @param {Map<string, Source>} includes
 */
function checkCycles(include, path, done, includes) {
  if (done.has(include)) return;
  const chain = [...path, include];
  for (const { name, line } of include.includes) {
    const next = includes.get(name);
    if (!next) continue;
    const start = chain.indexOf(next);
    if (start < 0) {
      checkCycles(next, chain, done, includes);
    } else {
      const names = [...chain.slice(start), next].map((each) => each.name);
      include.report(line, `Includes in a circle: ${names.join(' -> ')}.`);
    }
  }
  done.add(include);
}
