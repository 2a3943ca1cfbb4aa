/**
 * Finds the known name that a misspelt one most likely stands for.
 *
 * @returns the nearest name within a third of the longer one's length in edits, or `undefined` when none is that near
 *
 * @internal
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of known) {
    const tolerated = toleratedEdits(name, candidate);
    if (Math.abs(name.length - candidate.length) > tolerated) {
      continue;
    }
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= tolerated && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function toleratedEdits(left: string, right: string): number {
  const length = Math.max(left.length, right.length);
  // Where a single character would be all there is, changing it leaves nothing in common.
  return length === 1 ? 0 : Math.max(1, Math.floor(length / 3));
}

/** Number of insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let distance = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        distance = Math.min(distance, beforePrevious[column - 2]! + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length]!;
}
