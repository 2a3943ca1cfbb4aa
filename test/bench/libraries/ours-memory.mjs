import { memory } from 'nestjs-lane/memory';

import { openOurs } from './ours.mjs';

/** @type {import('../scenarios.mjs').Open} */
export const open = ({ queueName }) => openOurs(queueName, memory());
