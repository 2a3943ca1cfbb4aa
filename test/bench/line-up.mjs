/**
 * Who is measured in a round of a scenario, and in which order.
 *
 * @typedef {import('./libraries/index.mjs').Library} Library
 * @typedef {import('./scenarios.mjs').Scenario} Scenario
 *
 * @typedef {object} Participant
 * @property {string} label
 * @property {'ours' | 'peer' | 'control'} role A control is the first peer once more: what tells how far two equal
 * figures lie apart.
 * @property {Library} library
 * @property {boolean} isCrowded
 */

/** The library that ours is judged by. */
const YARDSTICK = 'bullmq';

/**
 * @param {Pick<Scenario, 'name' | 'crowd'>} scenario
 * @param {readonly Library[]} all Those of one backend.
 * @returns {Participant[]} None when there is nothing to compare.
 */
export function lineUp({ name: scenario, crowd }, all) {
  const libraries = all.filter(({ scenarios }) => scenarios?.includes(scenario) ?? true);
  const ours = libraries.find(({ name }) => name === 'ours');
  if (crowd !== undefined) {
    return ours === undefined
      ? []
      : [
          { label: 'ours', role: 'ours', library: ours, isCrowded: true },
          { label: 'alone', role: 'peer', library: ours, isCrowded: false },
          { label: 'alone-again', role: 'control', library: ours, isCrowded: false },
        ];
  }
  /** @type {Participant[]} */
  const participants = [];
  for (const library of libraries) {
    const { name } = library;
    participants.push({ label: name, role: library === ours ? 'ours' : 'peer', library, isCrowded: false });
    if (name === YARDSTICK) {
      participants.push({ label: `${name}-again`, role: 'control', library, isCrowded: false });
    }
  }
  return participants;
}

/**
 * Everybody's place moves from round to round, and every other round runs backwards: what was measured just before
 * is no property of a library.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} round From 0.
 * @returns {Item[]}
 */
export function orderOf(items, round) {
  const first = Math.floor(round / 2) % Math.max(1, items.length);
  const rotated = [...items.slice(first), ...items.slice(0, first)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}
