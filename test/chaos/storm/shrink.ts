import { again, runStorm, type StormReport } from './storm';

/**
 * Looks for the fewest steps that go wrong: takes out ever smaller parts, as long as there is time.
 *
 * @param report - of a storm that went wrong
 * @param millis - for the whole search
 * @returns the report of the shortest storm that went wrong
 */
export async function shrink(report: StormReport, millis: number): Promise<StormReport> {
  const deadline = performance.now() + millis;
  let shortest = report;
  for (let size = Math.ceil(shortest.steps.length / 2); size >= 1;) {
    const before = shortest.steps.length;
    for (let to = before; to > 0 && performance.now() < deadline; to -= size) {
      const { steps } = shortest;
      const rest = [...steps.slice(0, Math.max(0, to - size)), ...steps.slice(to)];
      const shorter = await runStorm(again(rest), { isClose: false, hasEnd: report.isEndWrong });
      if (kindOf(shorter) === kindOf(report)) shortest = shorter;
    }
    if (performance.now() >= deadline) break;
    if (size > 1) size = Math.ceil(size / 2);
    else if (shortest.steps.length === before) break;
  }
  return shortest;
}

/** What went wrong, leaving out which job and how often; `undefined` if nothing did. */
function kindOf({ failure }: StormReport): string | undefined {
  return failure?.message.split('\n', 1)[0]!.replace(/"[^"]*"|\{.*\}|\d+/g, '');
}
