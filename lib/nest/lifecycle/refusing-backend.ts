import type { LaneBackend, QueueBackend } from '../../contract/queue-backend';

/**
 * The backend of a queue that cannot be, in an application that will not start: constructors may hold the queue and
 * listen to it, but nothing is stored; every call meets the error.
 *
 * @internal
 */
export function refusingBackend(error: Error): LaneBackend {
  return {
    kind: 'none',
    capabilities: { durable: false, server: false },
    openQueue: ({ queueName }) => {
      const handle: Partial<QueueBackend> = {
        queueName,
        caller: '0'.repeat(32),
        close: () => Promise.resolve(),
      };
      return new Proxy(handle as QueueBackend, {
        get: (target, key) => (key in target ? target[key as never] : () => Promise.reject(error)),
      });
    },
  };
}
