import type { RedisServer } from './redis-server.mjs';

declare global {
  /** The server that Jest's global set-up has started. */
  var laneRedisOfRun: RedisServer | undefined;
}
