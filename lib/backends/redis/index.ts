export { redis } from './redis-backend';
export type { RedisOptions } from './redis-options';
