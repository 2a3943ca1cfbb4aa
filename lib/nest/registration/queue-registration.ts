import {
  isQueueDefinition,
  queueNameOf,
  type QueueDefinition,
} from '../../engine/definition/queue-definition';
import { checkQueueName } from '../../model/queue-options';
import { checkJobLimit } from '../../model/rate-limit';
import { bullmqConnection, insideFactory } from '../messages/option.messages';
import { DEFAULT_CONNECTION } from '../lane.tokens';
import type { QueueDefaults } from '../options/queue-defaults';
import type { RegisterQueueOptions } from '../options/register-queue-options';
import { QUEUE_FACTORY_OPTION_NAMES, REGISTER_QUEUE_OPTION_NAMES } from '../options/register-queue-options';
import { checkDefaults, sameMeaning } from './checked-options';
import { OptionProblems } from './option-problems';

/**
 * What one call of `registerQueue` said about one queue, checked.
 *
 * @internal
 */
export class QueueRegistration {
  readonly problems: OptionProblems;
  /** Empty when the given one cannot be used. */
  readonly name: string;
  readonly connection: string;
  /** `undefined` for a queue that was given by its name. */
  readonly definition: QueueDefinition | undefined;
  readonly defaults: QueueDefaults;
  /** `undefined` when it was not given or cannot be used. */
  readonly globalConcurrency: number | undefined;
  readonly #meaning: unknown;

  /**
   * @param call - such as `LaneModule.registerQueue('email')`
   * @param name - of the queue, or its definition
   * @param connection - name of its connection
   * @param options - what was given; name and connection are part of it unless a factory made it
   */
  constructor(
    readonly call: string,
    name: unknown,
    connection: unknown,
    options: unknown,
    { isMade }: { isMade: boolean },
  ) {
    this.problems = new OptionProblems(call);
    this.definition = isQueueDefinition(name) ? name : undefined;
    this.name = this.problems.check(() => checkQueueName(queueNameOf(name))) ?? '';
    this.connection = this.#checkConnection(connection);
    const { defaults = {}, globalConcurrency } = isMade
      ? this.problems.known(options, QUEUE_FACTORY_OPTION_NAMES, undefined, {
          name: insideFactory,
          connection: insideFactory,
        })
      : this.problems.known(options, REGISTER_QUEUE_OPTION_NAMES);
    const { given, meaning } = checkDefaults(defaults, this.problems);
    this.defaults = given;
    this.globalConcurrency =
      globalConcurrency === undefined
        ? undefined
        : this.problems.check(() => checkJobLimit('globalConcurrency', globalConcurrency));
    this.#meaning = { ...meaning, globalConcurrency: this.globalConcurrency };
  }

  /** What was given and is right. */
  get options(): RegisterQueueOptions {
    const { name, connection, defaults, globalConcurrency } = this;
    return { name, connection, defaults, ...(globalConcurrency !== undefined && { globalConcurrency }) };
  }

  /** Whether the other call asked for the same. */
  agreesWith(other: QueueRegistration): boolean {
    return this.definition === other.definition && sameMeaning(this.#meaning, other.#meaning);
  }

  #checkConnection(connection: unknown): string {
    if (connection === undefined) {
      return DEFAULT_CONNECTION;
    }
    if (typeof connection !== 'string') {
      this.problems.add(bullmqConnection('registerQueue'));
      return DEFAULT_CONNECTION;
    }
    return connection;
  }
}
