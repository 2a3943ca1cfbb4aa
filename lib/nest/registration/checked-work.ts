import { isOptionsObject } from '../../model/option-names';
import { badQueues, badRole, badStart, badStartWhen, startedTwice } from '../messages/option.messages';
import type { WorkOptions, WorkedQueues } from '../options/work-options';
import type { OptionProblems } from './option-problems';

const ROLES: readonly unknown[] = ['both', 'producer', 'worker'];
const STARTS: readonly unknown[] = ['bootstrap', 'manual'];
const CHOICES: readonly string[] = ['only', 'except'];

/**
 * What a process works on, checked.
 *
 * @internal
 */
export interface CheckedWork extends Required<Pick<WorkOptions, 'role' | 'start'>> {
  readonly queues: WorkedQueues | undefined;
  readonly startWhen: (() => Promise<unknown>) | undefined;
}

/** @internal */
export function checkWork(
  { role = 'both', queues, start = 'bootstrap', startWhen }: Record<string, unknown>,
  problems: OptionProblems,
): CheckedWork {
  if (!ROLES.includes(role)) {
    problems.add(badRole(role));
  }
  if (!STARTS.includes(start)) {
    problems.add(badStart(start));
  }
  if (startWhen !== undefined && typeof startWhen !== 'function') {
    problems.add(badStartWhen(startWhen));
  } else if (startWhen !== undefined && start === 'manual') {
    problems.add(startedTwice());
  }
  return {
    role: role as CheckedWork['role'],
    start: start as CheckedWork['start'],
    queues: queues === undefined ? undefined : checkQueues(queues, problems),
    startWhen: startWhen as CheckedWork['startWhen'],
  };
}

/**
 * Whether the process works on a queue.
 *
 * @internal
 */
export function worksOn({ role, queues }: CheckedWork, queue: string): boolean {
  if (role === 'producer') {
    return false;
  }
  return queues?.only?.includes(queue) ?? queues?.except?.includes(queue) !== true;
}

/** The queues that are named, in whatever way. @internal */
export function namedQueues({ queues }: CheckedWork): readonly string[] {
  return queues?.only ?? queues?.except ?? [];
}

function checkQueues(queues: unknown, problems: OptionProblems): WorkedQueues | undefined {
  if (!isOptionsObject(queues)) {
    problems.add(badQueues(queues));
    return undefined;
  }
  const given = Object.entries(problems.known(queues, CHOICES, 'queues'));
  const [choice] = given;
  if (given.length !== 1 || !isListOfNames(choice![1])) {
    problems.add(badQueues(queues));
    return undefined;
  }
  return Object.fromEntries(given) as unknown as WorkedQueues;
}

function isListOfNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string');
}
