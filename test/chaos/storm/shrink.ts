import type { Step } from './scene';
import { again, runStorm, type StormReport } from './storm';

/**
 * Looks for the fewest steps that go wrong, and the fewest items of each, as long as there is time.
 *
 * @param report - of a storm that went wrong
 * @param millis - for the whole search
 * @returns the report of the shortest storm that went wrong
 */
export async function shrink(report: StormReport, millis: number): Promise<StormReport> {
  const search = new Search(report, performance.now() + millis);
  await search.leaveOutSteps();
  await search.leaveOutItems();
  await search.leaveOutSteps();
  return search.shortest;
}

class Search {
  constructor(
    public shortest: StormReport,
    private readonly deadline: number,
  ) {}

  async leaveOutSteps(): Promise<void> {
    const steps = () => this.shortest.steps;
    await this.#leaveOut(
      () => steps().length,
      (from, to) => this.#try([...steps().slice(0, from), ...steps().slice(to)]),
    );
  }

  async leaveOutItems(): Promise<void> {
    for (let place = 0; place < this.shortest.steps.length; place += 1) {
      const step = () => this.shortest.steps[place];
      await this.#leaveOut(
        () => step()?.items ?? 0,
        (from, to) => this.#try(this.shortest.steps.with(place, step()!.without!(from, to))),
      );
    }
  }

  /** Takes out ever smaller parts. */
  async #leaveOut(
    length: () => number,
    leaveOut: (from: number, to: number) => Promise<void>,
  ): Promise<void> {
    for (let size = Math.ceil(length() / 2); size >= 1 && this.#hasTime;) {
      const before = length();
      for (let to = before; to > 0 && this.#hasTime; to -= size) {
        await leaveOut(Math.max(0, to - size), to);
      }
      if (size > 1) size = Math.ceil(size / 2);
      else if (length() === before) break;
    }
  }

  get #hasTime(): boolean {
    return performance.now() < this.deadline;
  }

  async #try(steps: readonly Step[]): Promise<void> {
    const { shortest } = this;
    const report = await runStorm(again(steps), { isClose: false, hasEnd: shortest.isEndWrong });
    if (kindOf(report) === kindOf(shortest)) this.shortest = report;
  }
}

/** What went wrong, leaving out which job and how often; `undefined` if nothing did. */
function kindOf({ failure }: StormReport): string | undefined {
  return failure?.message.split('\n', 1)[0]!.replace(/"[^"]*"|\{.*\}|\d+/g, '');
}
