import type { ModulesContainer } from '@nestjs/core';

import { instancesWith } from './instances';
import { wrapNextCall } from './wrap-next-call';

/**
 * What is done about the `onModuleDestroy` hooks of an application.
 *
 * @internal
 */
export interface DestroyHooksGuard {
  /** Awaited before each hook; does not reject. */
  before(): Promise<void>;
  /** A hook has thrown: Nest 10 and 11 give the close up then. */
  failed(): void;
}

/** Objects whose hook is guarded now, each with what takes the guard away. */
const guarded = new WeakMap<object, () => void>();

/** Objects that several applications had at once: their hook does not tell which of them closes. */
const shared = new WeakSet<object>();

/**
 * Puts something in front of every `onModuleDestroy` hook of the application, whatever the order in which Nest calls
 * them: it differs between majors, and no place in the module graph comes first in all of them.
 *
 * @returns names of the classes whose objects have nothing in front: `frozen` ones cannot be changed, `shared` ones are
 * those of another application too, which the close of this one is not to drain
 *
 * @internal
 */
export function guardDestroyHooks(
  modules: ModulesContainer,
  guard: DestroyHooksGuard,
): Readonly<Record<'frozen' | 'shared', string[]>> {
  const left = { frozen: [] as string[], shared: [] as string[] };
  for (const instance of instancesWith(modules, 'onModuleDestroy')) {
    const unwrapOther = guarded.get(instance);
    if (unwrapOther !== undefined) {
      unwrapOther();
      guarded.delete(instance);
      shared.add(instance);
    }
    if (shared.has(instance)) {
      left.shared.push(instance.constructor.name);
    } else if (!guardOne(instance, guard)) {
      left.frozen.push(instance.constructor.name);
    }
  }
  return left;
}

function guardOne(instance: object, guard: DestroyHooksGuard): boolean {
  const unwrap = wrapNextCall(instance, 'onModuleDestroy', async (hook) => {
    guarded.delete(instance);
    await guard.before();
    try {
      await hook();
    } catch (error) {
      guard.failed();
      throw error;
    }
  });
  if (unwrap !== undefined) {
    guarded.set(instance, unwrap);
  }
  return unwrap !== undefined;
}
