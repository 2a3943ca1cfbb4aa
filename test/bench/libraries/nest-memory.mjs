import { memory } from 'nestjs-lane/memory';

import { openNest } from './nest.mjs';

/** @type {import('../scenarios.mjs').Open} */
export const open = ({ queueName }) => openNest(queueName, memory(), { withEnhancers: false });
