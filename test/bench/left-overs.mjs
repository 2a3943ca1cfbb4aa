/**
 * What a library left in Redis, as far as it is BullMQ's format. Two libraries that did the same work for the same
 * users left the same: a figure that was bought by storing less does not count.
 *
 * @typedef {object} LeftOvers
 * @property {number} jobs
 * @property {Record<string, string>} keys Types, by what follows the queue's name; `<id>` stands for a job's.
 * @property {Record<string, number>} jobFields Jobs that have it, by field.
 * @property {Record<string, number>} events Numbers, by name.
 */

/** Keys that come and go with time, or wake workers, which each library does in its own way. */
const PASSING_KEYS = new Set(['marker', 'stalled', 'stalled-check']);

/** How often a queue runs empty in between is a matter of timing. */
const PASSING_EVENTS = new Set(['drained']);

/** What only nestjs-lane reads. */
const OWN = /^ln:/;

/**
 * @param {LeftOvers} left
 * @returns {LeftOvers}
 */
export function comparable({ jobs, keys, jobFields, events }) {
  return {
    jobs,
    keys: without(keys, (key) => PASSING_KEYS.has(key) || OWN.test(key)),
    jobFields: without(jobFields, (field) => OWN.test(field)),
    events: without(events, (event) => PASSING_EVENTS.has(event)),
  };
}

/**
 * @param {string} expectedName
 * @param {LeftOvers} expected
 * @param {string} actualName
 * @param {LeftOvers} actual
 * @returns {string[]} One line per difference, none when both left the same.
 */
export function differences(expectedName, expected, actualName, actual) {
  const wanted = comparable(expected);
  const found = comparable(actual);
  /**
   * @param {string} what
   * @param {string | number} [left]
   * @param {string | number} [right]
   */
  const line = (what, left, right) =>
    `${what}: ${expectedName} ${left ?? 'has none'}, ${actualName} ${right ?? 'has none'}`;
  /**
   * @param {string} what
   * @param {'keys' | 'jobFields' | 'events'} part
   */
  const differing = (what, part) =>
    [...new Set([...Object.keys(wanted[part]), ...Object.keys(found[part])])]
      .sort()
      .filter((name) => wanted[part][name] !== found[part][name])
      .map((name) => line(`${what} ${name}`, wanted[part][name], found[part][name]));
  return [
    ...(wanted.jobs === found.jobs ? [] : [line('jobs', wanted.jobs, found.jobs)]),
    ...differing('key', 'keys'),
    ...differing('jobs with the field', 'jobFields'),
    ...differing('event', 'events'),
  ];
}

/**
 * @template Value
 * @param {Record<string, Value>} record
 * @param {(name: string) => boolean} isLeftOut
 * @returns {Record<string, Value>}
 */
function without(record, isLeftOut) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isLeftOut(name)));
}
