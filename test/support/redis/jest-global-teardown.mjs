export default async function stopRedis() {
  await globalThis.laneRedisOfRun?.stop();
}
