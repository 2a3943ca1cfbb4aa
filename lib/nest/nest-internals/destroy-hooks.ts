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

/**
 * Puts something in front of every `onModuleDestroy` hook of the application, whatever the order in which Nest calls
 * them: it differs between majors, and no place in the module graph comes first in all of them.
 *
 * @returns names of the classes whose objects cannot be changed, since they are frozen
 *
 * @internal
 */
export function guardDestroyHooks(modules: ModulesContainer, guard: DestroyHooksGuard): string[] {
  return [...instancesWith(modules, 'onModuleDestroy')]
    .filter((instance) => {
      const unwrap = wrapNextCall(instance, 'onModuleDestroy', async (hook) => {
        await guard.before();
        try {
          await hook();
        } catch (error) {
          guard.failed();
          throw error;
        }
      });
      return unwrap === undefined;
    })
    .map((instance) => instance.constructor.name);
}
