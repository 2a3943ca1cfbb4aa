import {
  RECORDING,
  type Recorded,
  type RecordedJob,
  type RecordedOutcome,
  type Recording,
} from './recording';

/**
 * What happened in one run of the jobs that were ready.
 *
 * @public
 */
export class RunResult implements Recorded {
  /**
   * @param outcomes - in the order in which they were written
   * @param added - the jobs that were added meanwhile, by handlers and listeners
   *
   * @internal
   */
  constructor(
    readonly outcomes: readonly RecordedOutcome[],
    readonly added: readonly RecordedJob[],
  ) {}

  /** Jobs that completed. */
  get completed(): number {
    return this.#count('completed');
  }

  /** Jobs that failed for good. */
  get failed(): number {
    return this.#count('failed');
  }

  /** Attempts that failed and are to be made again. */
  get retried(): number {
    return this.#count('retry');
  }

  /** Jobs that their handlers held back. */
  get heldBack(): number {
    return this.#count('delayed');
  }

  /** Jobs that were handed back unfinished. */
  get handedBack(): number {
    return this.#count('handed-back');
  }

  /** @internal */
  get [RECORDING](): Recording {
    return { label: 'the run', added: this.added, outcomes: this.outcomes, busy: [] };
  }

  #count(kind: RecordedOutcome['kind']): number {
    return this.outcomes.filter((outcome) => outcome.kind === kind).length;
  }
}
