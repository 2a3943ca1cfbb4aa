import { Inject } from '@nestjs/common';

import type { QueueDefinition } from '../../engine/definition/queue-definition';
import { getQueueToken } from '../lane.tokens';

/**
 * Injects a queue that a module in reach registers with `LaneModule.registerQueue`.
 *
 * @param queue - the queue's name, or its definition, whose type is `QueueOf`
 * @param connection - name of its connection; default: the one without a name
 *
 * @example
 * ```ts
 * constructor(
 *   @InjectQueue('audit') private readonly audit: Queue<Entry>,
 *   @InjectQueue(Email) private readonly email: QueueOf<typeof Email>,
 * ) {}
 * ```
 *
 * @public
 */
export function InjectQueue(
  queue: string | QueueDefinition,
  connection?: string,
): ParameterDecorator & PropertyDecorator {
  return Inject(getQueueToken(queue, connection));
}
