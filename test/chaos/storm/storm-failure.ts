import type { StormReport } from './storm';

/** What went wrong, where, and how to see it again. */
export class StormFailure extends Error {
  constructor(
    readonly seed: number,
    whole: StormReport,
    shortest: StormReport,
  ) {
    const steps = whole.steps.length;
    const lines = shortest.texts.map(
      (text, index) =>
        `${String(index + 1).padStart(4)}. ${text.length > 2_000 ? `${text.slice(0, 2_000)} …` : text}`,
    );
    super(
      `The storm of seed ${seed} went wrong after ${steps} steps.\n` +
        `To see it again: npm run storm -- --seed ${seed} --steps ${steps}\n` +
        `The shortest that went wrong, of ${shortest.steps.length} steps:\n${lines.join('\n')}\n` +
        `${shortest.failure?.message}`,
      { cause: shortest.failure },
    );
    this.name = 'StormFailure';
  }
}
