import { ADDING } from './adding';
import { CALLERS } from './callers';
import { CANCELLING } from './cancelling';
import { CLAIMING } from './claiming';
import { CONTROL } from './control';
import { DESCRIBING } from './describing';
import { LEASES } from './leases';
import { LIMITING } from './limiting';
import { LOOKING } from './looking';
import { MOVING } from './moving';
import type { StormOperation } from './operation';
import { REMOVING } from './removing';
import { SETTLING } from './settling';
import { TIME } from './time';

/** Every kind of step that a storm takes. A new operation of the contract gets its entry here. */
export const STORM_OPERATIONS: readonly StormOperation[] = [
  ...ADDING,
  ...CLAIMING,
  ...SETTLING,
  ...LEASES,
  ...MOVING,
  ...REMOVING,
  ...CANCELLING,
  ...CONTROL,
  ...LIMITING,
  ...DESCRIBING,
  ...LOOKING,
  ...TIME,
  ...CALLERS,
];
