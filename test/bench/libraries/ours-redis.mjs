import { redis } from 'nestjs-lane/redis';

import { openOurs } from './ours.mjs';

/** @type {import('../scenarios.mjs').Open} */
export const open = async ({ queueName, url }) => ({
  ...(await openOurs(queueName, redis({ url }))),
  queueKey: `bull:${queueName}`,
});
