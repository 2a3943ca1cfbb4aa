import { describe, it } from '@jest/globals';
import { registerConformance } from 'nestjs-lane/testing/conformance';

import { redisHarness } from './redis-harness';

registerConformance({ describe, it }, redisHarness);
