import { checkFlag } from '../../model/flag';
import { notAnEnhancer, notEnhancers } from '../messages/enhancer.messages';
import { isClass } from '../nest-internals/enhancer-metadata';
import type { EnhancerKind } from '../options/enhancer-options';
import { ENHANCER_KINDS, ENHANCER_METHODS, ENHANCER_OPTION_NAMES } from '../options/enhancer-options';
import type { OptionProblems } from './option-problems';

/**
 * What `enhancers` of `forRoot` says, checked.
 *
 * @internal
 */
export interface CheckedEnhancers {
  /** Classes and objects, by kind. */
  readonly given: Readonly<Record<EnhancerKind, readonly object[]>>;
  readonly inherit: Readonly<Record<EnhancerKind, boolean>>;
}

/** @internal */
export function checkEnhancers(options: unknown, problems: OptionProblems): CheckedEnhancers {
  const { inherit = false, ...lists } = problems.known(options, ENHANCER_OPTION_NAMES, 'enhancers');
  return {
    given: byKind((kind) => checkList(kind, lists[kind] ?? [], problems)),
    inherit: checkInherit(inherit, problems),
  };
}

function checkList(kind: EnhancerKind, list: unknown, problems: OptionProblems): object[] {
  if (!Array.isArray(list)) {
    problems.add(notEnhancers(kind, list), 'enhancers');
    return [];
  }
  return list.filter((enhancer: unknown): enhancer is object => {
    const isOne = isClass(enhancer) || hasMethod(enhancer, ENHANCER_METHODS[kind]);
    if (!isOne) {
      problems.add(notAnEnhancer(kind, enhancer, ENHANCER_METHODS[kind]), 'enhancers');
    }
    return isOne;
  });
}

function checkInherit(inherit: unknown, problems: OptionProblems): CheckedEnhancers['inherit'] {
  if (typeof inherit === 'boolean') {
    return byKind(() => inherit);
  }
  const kinds = problems.known(inherit, ENHANCER_KINDS, 'enhancers.inherit');
  return byKind(
    (kind) => problems.check(() => checkFlag(kind, kinds[kind] ?? false), 'enhancers.inherit') ?? false,
  );
}

/**
 * Whether an object is an enhancer of the kind with that method.
 *
 * @internal
 */
export function hasMethod(value: unknown, method: string): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>)[method] === 'function'
  );
}

function byKind<Value>(of: (kind: EnhancerKind) => Value): Record<EnhancerKind, Value> {
  return Object.fromEntries(ENHANCER_KINDS.map((kind) => [kind, of(kind)])) as Record<EnhancerKind, Value>;
}
