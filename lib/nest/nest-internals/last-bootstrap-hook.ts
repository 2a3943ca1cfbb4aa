import type { ModulesContainer } from '@nestjs/core';

import { wrapNextCall } from './wrap-next-call';

/**
 * Has something done when the last `onApplicationBootstrap` hook of the application has ended: the one of the
 * module that Nest calls last, which is the root module unless modules import each other in a circle.
 *
 * To be called before Nest calls the first of these hooks.
 *
 * @param callback - what it rejects with, the start rejects with
 * @returns `false` when that module cannot be made to call back
 *
 * @internal
 */
export function afterLastBootstrapHook(modules: ModulesContainer, callback: () => Promise<void>): boolean {
  const last = [...modules.values()].sort((left, right) => right.distance - left.distance).at(-1);
  const host = last?.providers.get(last.metatype);
  const instance: unknown = host?.instance;
  // Nest calls no hook of a module class that is made anew for each request.
  if (host?.isDependencyTreeStatic() !== true || typeof instance !== 'object' || instance === null) {
    return false;
  }
  const unwrap = wrapNextCall(instance, 'onApplicationBootstrap', async (hook) => {
    await hook();
    await callback();
  });
  return unwrap !== undefined;
}
