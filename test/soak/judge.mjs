/** Growth of what a process keeps in memory, from its second quarter to its last, that is still none: noise and caches. */
const HEAP_GROWTH = 1.25;
const HEAP_SLACK = 3_000_000;

/** Jobs that retention keeps of each kind of end. */
const KEPT = 1_000;

/** Keys of a queue besides its jobs: lists and sets of places, the log, reply slots of callers that were there. */
const OTHER_KEYS = 200;

/**
 * @param {{
 *   added: ReadonlySet<string>,
 *   ends: ReadonlyMap<string, number>,
 *   counts: Readonly<Record<string, number>>,
 *   keys: readonly string[],
 *   heap: readonly number[],
 * }} soaked `counts` by state; `heap` of the worker process that lives on, in bytes, look by look
 * @returns {string[]} what is wrong
 */
export function problemsOf({ added, ends, counts, keys, heap }) {
  const problems = [];
  const lost = [...added].filter((id) => !ends.has(id));
  if (lost.length > 0)
    problems.push(`${lost.length} jobs never ended, such as ${lost.slice(0, 5).join(', ')}.`);
  const strange = [...ends.keys()].filter((id) => !added.has(id));
  if (strange.length > 0)
    problems.push(`${strange.length} jobs ended that nobody added, such as ${strange[0]}.`);
  const twice = [...ends].filter(([, count]) => count > 1).map(([id]) => id);
  if (twice.length > 0)
    problems.push(`${twice.length} jobs ended twice, such as ${twice.slice(0, 5).join(', ')}.`);
  const { completed = 0, failed = 0, ...unfinished } = counts;
  for (const [state, count] of Object.entries(unfinished)) {
    if (count !== 0) problems.push(`${count} jobs are still ${state}.`);
  }
  if (completed > KEPT) problems.push(`${completed} completed jobs are kept, of which ${KEPT} are wanted.`);
  if (failed > KEPT) problems.push(`${failed} failed jobs are kept, of which ${KEPT} are wanted.`);
  if (keys.length > completed + failed + OTHER_KEYS) {
    problems.push(`${keys.length} keys are left: ${completed + failed} of jobs and too many others.`);
  }
  const quarter = Math.floor(heap.length / 4);
  const [before, after] = [median(heap.slice(quarter, 2 * quarter)), median(heap.slice(-quarter))];
  if (quarter > 1 && after > before * HEAP_GROWTH + HEAP_SLACK) {
    problems.push(
      `A worker process has ${megabytes(after)} in use, after ${megabytes(before)} in its second quarter.`,
    );
  }
  return problems;
}

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
