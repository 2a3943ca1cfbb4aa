import {
  isQueueDefinition,
  queueNameOf,
  type QueueDefinition,
} from '../../engine/definition/queue-definition';
import { refuseUnknownOptions } from '../../model/option-names';
import { checkQueueName } from '../../model/queue-options';
import type { QueueReference } from '../decorators/processor.decorator';
import { DEFAULT_CONNECTION } from '../lane.tokens';

type OneQueue = string | QueueDefinition | QueueReference;

/**
 * Queues that somebody names: by name or definition, where they are on the connection without a name, or by that and
 * connection.
 *
 * @public
 */
export type QueueChoice = OneQueue | readonly OneQueue[];

/**
 * @param call - for the error
 * @returns `undefined` where nothing is chosen
 * @throws InvalidQueueNameError, UnknownOptionError
 *
 * @internal
 */
export function chosenQueues(
  call: string,
  choice: QueueChoice | undefined,
): { queue: string; connection: string }[] | undefined {
  if (choice === undefined) {
    return undefined;
  }
  const chosen = (Array.isArray(choice) ? choice : [choice]) as OneQueue[];
  return chosen.map((one) => {
    if (typeof one !== 'object' || one === null || isQueueDefinition(one)) {
      return { queue: checkQueueName(queueNameOf(one)), connection: DEFAULT_CONNECTION };
    }
    refuseUnknownOptions(call, one, ['queue', 'connection']);
    return {
      queue: checkQueueName(queueNameOf(one.queue)),
      connection: one.connection ?? DEFAULT_CONNECTION,
    };
  });
}
