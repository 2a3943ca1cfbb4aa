import { RedisServer } from './redis-server.mjs';

/** @type {Promise<RedisServer> | undefined} */
let ownServer;

/**
 * Address of the server that the run shares. Where nobody has started one, as in scripts, this process does; it ends
 * with the process.
 */
export async function redisUrl() {
  const url = process.env.LANE_TEST_REDIS_URL;
  if (url) return url;
  ownServer ??= RedisServer.start();
  return (await ownServer).url;
}
