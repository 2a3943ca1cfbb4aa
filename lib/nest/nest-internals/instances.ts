import type { ModulesContainer } from '@nestjs/core';

type Module = ReturnType<ModulesContainer['getById']> & object;

/**
 * The objects of an application that have a hook which Nest is going to call.
 *
 * @param hook - such as `onModuleDestroy`
 *
 * @internal
 */
export function instancesWith(modules: ModulesContainer, hook: string): Set<object> {
  const hasHook = (instance: unknown): instance is object =>
    ((typeof instance === 'object' && instance !== null) || typeof instance === 'function') &&
    typeof (instance as Record<string, unknown>)[hook] === 'function';
  return new Set([...modules.values()].flatMap(staticInstancesOf).filter(hasHook));
}

function staticInstancesOf(moduleRef: Module): unknown[] {
  return [moduleRef.controllers, moduleRef.providers, moduleRef.injectables, moduleRef.middlewares]
    .flatMap((group) => [...group.values()])
    .filter((wrapper) => wrapper.isDependencyTreeStatic())
    .flatMap((wrapper): unknown[] =>
      wrapper.isTransient
        ? wrapper.getStaticTransientInstances().map((host) => host?.instance)
        : [wrapper.instance],
    );
}
