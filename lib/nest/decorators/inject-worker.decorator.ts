import { Inject } from '@nestjs/common';

import type { QueueDefinition } from '../../engine/definition/queue-definition';
import { getWorkerToken } from '../lane.tokens';

/**
 * Injects the worker of a queue in this process, as a `WorkerHandle`, where a module in reach registers the queue.
 *
 * @param queue - the queue's name, or its definition
 * @param connection - name of its connection; default: the one without a name
 *
 * @example
 * ```ts
 * constructor(@InjectWorker('email') private readonly worker: WorkerHandle) {}
 * ```
 *
 * @public
 */
export function InjectWorker(
  queue: string | QueueDefinition,
  connection?: string,
): ParameterDecorator & PropertyDecorator {
  return Inject(getWorkerToken(queue, connection));
}
