import { expect } from 'vitest';

import { laneMatchers, type LaneMatchers } from './expectations/matchers.js';

expect.extend(laneMatchers);

declare module 'vitest' {
  // The interface is that of Vitest, as it is declared there, so its parameter is too.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
  interface Assertion<T> extends LaneMatchers {}
}
