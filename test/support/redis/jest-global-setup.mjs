import { RedisServer } from './redis-server.mjs';

/** One server for a run of Jest; specs find its address where they would find that of a server of the user's. */
export default async function startRedis() {
  if (process.env.LANE_TEST_REDIS_URL) return;
  const server = await RedisServer.start();
  process.env.LANE_TEST_REDIS_URL = server.url;
  globalThis.laneRedisOfRun = server;
}
