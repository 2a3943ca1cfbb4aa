import { LaneError } from '../../model/errors/lane-error';
import type { ConfigProblem } from './config-problem';

/**
 * Thrown when an application starts with queues, processors or options that cannot work. It tells all problems at
 * once: for each its code, what is wrong, where, and what to do. No job was taken.
 *
 * @example
 * ```text
 * Lane could not start: 1 problem.
 *
 * 1. LANE_QUEUE_UNKNOWN  EmailProcessor works on queue "emial", which is not registered.
 *    Where: @Processor('emial') on EmailProcessor (EmailModule)
 *    Did you mean "email" (registered in EmailModule)?
 *    Fix: correct the name, or add LaneModule.registerQueue('emial') to EmailModule.
 * ```
 *
 * @public
 */
export class LaneConfigError extends LaneError {
  readonly code = 'LANE_CONFIG';

  /**
   * @param problems - at least one
   * @param refused - what could not be done
   */
  constructor(
    readonly problems: readonly ConfigProblem[],
    refused = 'Lane could not start',
  ) {
    super(render(refused, problems), { cause: problems.find(({ cause }) => cause !== undefined)?.cause });
  }
}

function render(refused: string, problems: readonly ConfigProblem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return [`${refused}: ${count}.`, ...problems.map(renderOne)].join('\n\n');
}

function renderOne({ code, message, where, hint, fix }: ConfigProblem, index: number): string {
  const lines = [
    message,
    ...(where.length === 0 ? [] : [`Where: ${where.join(', ')}`]),
    ...(hint === undefined ? [] : [hint]),
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
  ];
  return `${index + 1}. ${code}  ${lines.join('\n   ')}`;
}
