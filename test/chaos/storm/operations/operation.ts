import type { OperationName } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../../support/seeded-random.mjs';
import type { Scene, Step } from '../scene';

/** A kind of step: an entry of the table that a storm is made of. */
export interface StormOperation {
  readonly name: string;
  /** Which operation of the contract it tries, if there is one. */
  readonly operation?: OperationName;
  /** How often it comes, beside the others. */
  readonly weight: number;
  /** Comes in every storm: without it there would be little to see. */
  readonly always?: true;
  /** Makes up a step from what is known and chance alone; `null` when there is nothing to do it to. */
  plan(scene: Scene, random: SeededRandom): Step | null;
}
