import { systemClock } from '../../contract/clock';
import type { LaneBackend } from '../../contract/queue-backend';
import { Connections } from './connections';
import { checkHashTag, checkRedisOptions, type RedisOptions } from './redis-options';
import { RedisQueue } from './redis-queue';

const DEFAULT_PREFIX = 'bull';

/**
 * A backend on a Redis server, or one that speaks its protocol such as Valkey. Queues are stored as BullMQ stores
 * them, so its clients, of versions 5 and 6, can share them.
 *
 * Connections are opened when they are first needed, and closed with the last handle that uses them: one for the queues
 * and listeners that share the value, one for the commands of its workers, and one per worker and listener that waits.
 *
 * The first of them looks at the server. What can go wrong later is a warning of the process: `LANE_EVICTION_POLICY`,
 * `LANE_CLOCK_SKEW`, `LANE_SERVER_UNKNOWN`.
 *
 * @param options - which server, and how; a text is a URL
 * @throws MissingDriverError when `ioredis` is not installed, UnknownOptionError, InvalidOptionsError,
 * InvalidRedisOptionError or InvalidBackendUrlError
 *
 * @example
 * ```ts
 * const backend = redis({ url: 'redis://127.0.0.1:6379', prefix: 'shop' });
 * ```
 *
 * @public
 */
export function redis(options: RedisOptions | string = {}): LaneBackend {
  const given = typeof options === 'string' ? { url: options } : options;
  checkRedisOptions(given);
  const prefix = given.prefix ?? DEFAULT_PREFIX;
  const connections = new Connections(given, prefix);
  const clock = given.clock === 'client' ? systemClock : given.clock;
  return {
    kind: 'redis',
    capabilities: { durable: true, server: true },
    openQueue: (request) => {
      checkHashTag(given, prefix, request.queueName);
      return new RedisQueue(connections, request, { prefix, clock, bullmq: given.bullmq ?? 'auto' });
    },
  };
}
