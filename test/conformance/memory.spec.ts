import { describe, it } from '@jest/globals';
import { registerConformance } from 'nestjs-lane/testing/conformance';

import { memoryHarness } from './harnesses';

registerConformance({ describe, it }, memoryHarness);
