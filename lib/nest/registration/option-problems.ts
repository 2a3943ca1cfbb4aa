import { LaneError } from '../../model/errors/lane-error';
import { InvalidOptionsError } from '../../model/errors/invalid-options.error';
import { UnknownOptionError } from '../../model/errors/unknown-option.error';
import { isOptionsObject } from '../../model/option-names';
import type { ConfigProblem } from '../errors/config-problem';
import { problemOf } from '../errors/config-problem';

interface Found {
  readonly problem: ConfigProblem;
  /** Which part of the options, such as `defaults.job`. */
  readonly path: string | undefined;
}

/**
 * What is wrong with the options of one call. All of it is found, not only the first; where the call stands is known
 * later.
 *
 * @internal
 */
export class OptionProblems {
  readonly #found: Found[] = [];

  /** @param call - such as `LaneModule.forRoot()` */
  constructor(private readonly call: string) {}

  /** Whether nothing is wrong. */
  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  add(problem: ConfigProblem, path?: string): void {
    this.#found.push({ problem, path });
  }

  addAll(...problems: (ConfigProblem | undefined)[]): void {
    problems.forEach((problem) => problem !== undefined && this.add(problem));
  }

  /** Runs a check of the model; what it refuses is a problem. */
  check<T>(run: () => T, path?: string): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof LaneError)) {
        throw error;
      }
      this.add(problemOf(error), path);
      return undefined;
    }
  }

  /**
   * The options that are given under a known name; the others are problems. An option that is `undefined` is not
   * given.
   *
   * @param expected - problems of their own for unknown names that people are likely to give
   */
  known(
    options: unknown,
    names: readonly string[],
    path?: string,
    expected: Readonly<Record<string, (name: string) => ConfigProblem>> = {},
  ): Record<string, unknown> {
    const place = path === undefined ? this.call : `${path} of ${this.call}`;
    if (!isOptionsObject(options)) {
      this.add(problemOf(new InvalidOptionsError(place, options, names)), path);
      return {};
    }
    const known: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(options)) {
      if (!names.includes(name)) {
        const problem = Object.hasOwn(expected, name)
          ? expected[name]!(name)
          : unknownOption(new UnknownOptionError(place, name, names), path);
        this.add(problem, path);
      } else if (value !== undefined) {
        known[name] = value;
      }
    }
    return known;
  }

  /** All problems, with where they are. */
  at(place: string): ConfigProblem[] {
    return this.#found.map(({ problem, path }) => ({
      ...problem,
      where: [path === undefined ? place : `${path} of ${place}`],
    }));
  }
}

/** Where the module has what the one for BullMQ is given under this name. */
function unknownOption(error: UnknownOptionError, path: string | undefined): ConfigProblem {
  const problem = problemOf(error);
  if (path !== undefined) {
    return problem;
  }
  switch (error.option) {
    case 'defaultJobOptions':
      return { ...problem, fix: 'give them as defaults: { job: { … } }.' };
    case 'prefix':
      return { ...problem, fix: 'give it to the backend: redis({ url, prefix }).' };
    default:
      return problem;
  }
}
