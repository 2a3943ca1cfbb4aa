import { refuseUnknownOptions } from '../../model/option-names';
import { checkQueueName } from '../../model/queue-options';
import type { QueueReference } from '../decorators/processor.decorator';
import { DEFAULT_CONNECTION } from '../lane.tokens';

/**
 * Queues that somebody names: by name, where they are on the connection without a name, or by name and connection.
 *
 * @public
 */
export type QueueChoice = string | QueueReference | readonly (string | QueueReference)[];

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
  const references = (Array.isArray(choice) ? choice : [choice]) as (string | QueueReference)[];
  return references.map((reference) => {
    if (typeof reference !== 'object' || reference === null) {
      return { queue: checkQueueName(reference), connection: DEFAULT_CONNECTION };
    }
    refuseUnknownOptions(call, reference, ['queue', 'connection']);
    return { queue: checkQueueName(reference.queue), connection: reference.connection ?? DEFAULT_CONNECTION };
  });
}
