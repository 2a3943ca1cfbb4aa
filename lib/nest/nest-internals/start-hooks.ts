import type { ModulesContainer } from '@nestjs/core';

import { instancesWith } from './instances';
import { wrapNextCall } from './wrap-next-call';

/**
 * Has something done when a start hook of the application fails: Nest gives the start up then, calls no further hook
 * and leaves open what is open.
 *
 * @param hook - `onModuleInit` or `onApplicationBootstrap`
 * @param failed - awaited before the error goes on; does not reject
 * @returns leaves the objects as they were, for hooks that were not called
 *
 * @internal
 */
export function onFailedHook(
  modules: ModulesContainer,
  hook: string,
  failed: () => Promise<void>,
): () => void {
  const unwraps = [...instancesWith(modules, hook)].map((instance) =>
    wrapNextCall(instance, hook, async (call) => {
      try {
        await call();
      } catch (error) {
        await failed();
        throw error;
      }
    }),
  );
  return () => unwraps.forEach((unwrap) => unwrap?.());
}
