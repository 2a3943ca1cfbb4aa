import type { ModulesContainer } from '@nestjs/core';
import { ModuleRef } from '@nestjs/core';

/**
 * The module that a `ModuleRef` belongs to, and all that it imports, they import and so on. Every module has a provider
 * of that token, whose instance `LazyModuleLoader` hands out.
 *
 * @returns nodes of the module graph; `undefined` when it belongs to no module of the application
 *
 * @internal
 */
export function reachableModules(modules: ModulesContainer, moduleRef: unknown): Set<object> | undefined {
  const first = [...modules.values()].find(
    ({ providers }) => providers.get(ModuleRef)?.instance === moduleRef,
  );
  if (first === undefined) {
    return undefined;
  }
  const found = new Set([first]);
  for (const one of found) {
    one.imports.forEach((imported) => found.add(imported));
  }
  return found;
}
