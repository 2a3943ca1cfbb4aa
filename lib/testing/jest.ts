import { expect } from '@jest/globals';

import { laneMatchers, type LaneMatchers } from './expectations/matchers';

expect.extend(laneMatchers);

// The interfaces are those of Jest, as they are declared there, so their parameters are too.
/* eslint-disable @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars, @typescript-eslint/no-namespace */

/** For `expect` of `@jest/globals`. */
declare module 'expect' {
  interface Matchers<R, T> extends LaneMatchers<R> {}
}

/** For the global `expect`, whose types are those of `@types/jest`. */
declare global {
  namespace jest {
    interface Matchers<R, T> extends LaneMatchers<R> {}
  }
}
