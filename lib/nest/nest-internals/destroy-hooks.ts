import type { ModulesContainer } from '@nestjs/core';

import { wrapNextCall } from './wrap-next-call';

type Module = ReturnType<ModulesContainer['getById']> & object;

/**
 * Puts something in front of every `onModuleDestroy` hook of the application, whatever the order in which Nest calls
 * them: it differs between majors, and no place in the module graph comes first in all of them.
 *
 * @param before - awaited before each hook; does not reject
 * @returns names of the classes whose objects cannot be changed, since they are frozen
 *
 * @internal
 */
export function beforeDestroyHooks(modules: ModulesContainer, before: () => Promise<void>): string[] {
  const instances = new Set([...modules.values()].flatMap(destroyableInstancesOf));
  return [...instances]
    .filter((instance) => {
      const isWrapped = wrapNextCall(instance, 'onModuleDestroy', async (hook) => {
        await before();
        await hook();
      });
      return !isWrapped;
    })
    .map((instance) => instance.constructor.name);
}

/** The objects whose hook Nest is going to call. */
function destroyableInstancesOf(moduleRef: Module): object[] {
  return [moduleRef.controllers, moduleRef.providers, moduleRef.injectables, moduleRef.middlewares]
    .flatMap((group) => [...group.values()])
    .filter((wrapper) => wrapper.isDependencyTreeStatic())
    .flatMap((wrapper): unknown[] =>
      wrapper.isTransient
        ? wrapper.getStaticTransientInstances().map((host) => host?.instance)
        : [wrapper.instance],
    )
    .filter(isDestroyable);
}

function isDestroyable(instance: unknown): instance is object {
  const isObject = (typeof instance === 'object' && instance !== null) || typeof instance === 'function';
  return isObject && typeof (instance as { onModuleDestroy?: unknown }).onModuleDestroy === 'function';
}
