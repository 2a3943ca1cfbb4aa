import {
  keyOf,
  RECORDING,
  type Recorded,
  type RecordedJob,
  type RecordedOutcome,
  type Recording,
} from './recording';
import type { TestSurroundings } from './test-surroundings';
import { DEFAULT_CONNECTION } from '../nest/lane.tokens';
import { queueNamed } from '../nest/messages/wording';

/**
 * What a test sees of one queue. It can be asked for before anything has happened, and always tells the present.
 *
 * @public
 */
export class QueueView implements Recorded {
  readonly #surroundings: TestSurroundings;

  /** @internal */
  constructor(
    surroundings: TestSurroundings,
    readonly name: string,
    readonly connection: string,
  ) {
    this.#surroundings = surroundings;
  }

  /** The jobs that were added, in order, wherever they are now. */
  get added(): readonly RecordedJob[] {
    return this.#surroundings.journal.added.filter((one) => this.#isOurs(one));
  }

  /** What became of jobs, in order. */
  get outcomes(): readonly RecordedOutcome[] {
    return this.#surroundings.journal.outcomes.filter((one) => this.#isOurs(one));
  }

  /** @internal */
  get [RECORDING](): Recording {
    const { name, connection } = this;
    return {
      label: queueNamed(name, connection),
      added: this.added,
      outcomes: this.outcomes,
      busy: this.#surroundings.busy(keyOf(name, connection)),
    };
  }

  #isOurs({ queue, connection = DEFAULT_CONNECTION }: { queue: string; connection?: string }): boolean {
    return queue === this.name && connection === this.connection;
  }
}
