import type { BackendCapability } from '../../contract/backend-capabilities';
import type { OperationName } from '../../contract/operations';
import type { Refusal } from '../../contract/refusal';
import type { QueueEventName } from '../../model/queue-event';
import type { ConformanceContext } from './conformance-context';

/**
 * What a case shows of its operation. Whoever names a refusal or an event has to compare one: a case that does not
 * fails.
 *
 * - `success`: that it does what it is for
 * - `refusal:…`, `event:…`: that it answers or writes it
 * - `replay`, `stale-number`, `expired-call`: that it happens once, and neither out of turn nor late
 * - `closed-handle`: that it is refused after `close`
 * - `rule`: anything else that its description promises
 *
 * @public
 */
export type Coverage =
  | 'success'
  | `refusal:${keyof typeof Refusal}`
  | `event:${QueueEventName}`
  | 'replay'
  | 'stale-number'
  | 'expired-call'
  | 'closed-handle'
  | 'rule';

/**
 * What every case has, whatever it is about.
 *
 * @public
 */
export interface AnyConformanceCase {
  /** What holds, as a sentence that goes on from the area's name. */
  readonly title: string;
  /** What a backend must be able to do for the case to make sense: the one reason to skip it. */
  readonly requires?: BackendCapability;
  run(context: ConformanceContext): Promise<void>;
}

/**
 * Something that every backend does, in terms of the contract.
 *
 * @public
 */
export interface ContractCase extends AnyConformanceCase {
  readonly operation: OperationName;
  readonly covers: readonly Coverage[];
}

/**
 * Something that every backend does, in terms of the engine.
 *
 * @public
 */
export interface EngineCase extends AnyConformanceCase {
  /** What it is about, such as `close`: the name of its file. */
  readonly behaviour: string;
}

/**
 * A case of the suite.
 *
 * @public
 */
export type ConformanceCase = ContractCase | EngineCase;

/**
 * What a case is counted under.
 *
 * @public
 */
export function areaOf(conformanceCase: ConformanceCase): string {
  return 'operation' in conformanceCase ? conformanceCase.operation : `engine: ${conformanceCase.behaviour}`;
}
