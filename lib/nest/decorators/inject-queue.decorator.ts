import { Inject } from '@nestjs/common';

import { getQueueToken } from '../lane.tokens';

/**
 * Injects a queue that a module in reach registers with `LaneModule.registerQueue`.
 *
 * @param queue - the queue's name
 * @param connection - name of its connection; default: the one without a name
 *
 * @example
 * ```ts
 * constructor(@InjectQueue('email') private readonly email: Queue<Letter>) {}
 * ```
 *
 * @public
 */
export function InjectQueue(queue: string, connection?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getQueueToken(queue, connection));
}
