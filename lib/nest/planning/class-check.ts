import { Scope } from '@nestjs/common';

import {
  isQueueDefinition,
  queueNameOf,
  type QueueDefinition,
} from '../../engine/definition/queue-definition';
import { checkQueueName } from '../../model/queue-options';
import type { ProcessorReference, QueueReference } from '../decorators/processor.decorator';
import type { FoundProcessor } from '../discovery/processor.explorer';
import type { ConfigProblem } from '../errors/config-problem';
import { DEFAULT_CONNECTION } from '../lane.tokens';
import { badScope } from '../messages/option.messages';
import { noInstance, notAProvider, scopeOverridden } from '../messages/processor.messages';
import { asWritten, objectAsWritten } from '../messages/wording';
import { declaredScope } from '../nest-internals/enhancer-metadata';
import type { OptionProblems } from '../registration/option-problems';

const REFERENCE_NAMES: readonly (keyof QueueReference)[] = ['queue', 'connection'];
const PROCESSOR_REFERENCE_NAMES: readonly (keyof ProcessorReference)[] = [...REFERENCE_NAMES, 'scope'];

/** @internal */
export function labelOf({ className }: FoundProcessor, method: string | symbol): string {
  return `${className}.${String(method)}`;
}

/**
 * Checks the queue that a class decorator names.
 *
 * @param found - for a class whose scope may be given too
 *
 * @internal
 */
export function checkReference(
  reference: unknown,
  problems: OptionProblems,
  found?: FoundProcessor,
): { queue: string; definition: QueueDefinition | undefined; connection: string } {
  const given = isReference(reference)
    ? problems.known(reference, found === undefined ? REFERENCE_NAMES : PROCESSOR_REFERENCE_NAMES)
    : { queue: reference };
  const { connection = DEFAULT_CONNECTION, scope } = given as { connection?: unknown; scope?: unknown };
  if (found !== undefined && scope !== undefined) {
    checkScope(scope, found, problems);
  }
  return {
    queue: problems.check(() => checkQueueName(queueNameOf(given.queue))) ?? '',
    definition: isQueueDefinition(given.queue) ? given.queue : undefined,
    connection: String(connection),
  };
}

/** What a class depends on may be scoped, and it with it; less scoped than it says, it is not by itself. */
function checkScope(scope: unknown, { target, className }: FoundProcessor, problems: OptionProblems): void {
  if (typeof scope !== 'number' || Scope[scope] === undefined) {
    problems.add(badScope(scope));
  } else if (declaredScope(target) !== (scope as Scope)) {
    problems.add(scopeOverridden(className, Scope[scope]));
  }
}

/**
 * Why no method of a class can be called at all.
 *
 * @param what - its methods, such as `listeners`
 *
 * @internal
 */
export function hindranceOf(
  { className, listedIn, scope, instance }: FoundProcessor,
  what: string,
): ConfigProblem | undefined {
  if (listedIn === 'controllers') {
    return notAProvider(className, what);
  }
  return scope === 'static' && instance === undefined ? noInstance(className) : undefined;
}

/**
 * A class decorator that names a queue, as a person writes it.
 *
 * @internal
 */
export function callOf(decorator: string, queue: unknown): string {
  return `${decorator}(${isReference(queue) ? objectAsWritten(queue) : asWritten(queue)})`;
}

/** Whether a queue is named by an object around its name or definition. */
function isReference(queue: unknown): queue is object {
  return typeof queue === 'object' && queue !== null && !isQueueDefinition(queue);
}
