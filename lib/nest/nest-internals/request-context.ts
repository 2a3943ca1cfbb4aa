import type { ContextId, ModuleRef } from '@nestjs/core';
import { ContextIdFactory } from '@nestjs/core';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';

/**
 * The id under which providers are made for a request: a new one for each, with a parent where the application has a
 * strategy for durable providers. As Nest's router does, it is noted with the request, so that
 * `ContextIdFactory.getByRequest(request)` gives it too, and `REQUEST` is
 *
 * - what the strategy has as payload, where all that is made is durable
 * - otherwise the request, to which the payload is added; what it has itself stays
 *
 * @internal
 */
export function contextIdOf(moduleRef: ModuleRef, request: object, isDurable: boolean): ContextId {
  const contextId = ContextIdFactory.getByRequest(request as Record<string, unknown>);
  if ((request as Record<symbol, unknown>)[REQUEST_CONTEXT_ID] === contextId) {
    return contextId;
  }
  Object.defineProperty(request, REQUEST_CONTEXT_ID, { value: contextId });
  const { payload } = contextId as { readonly payload?: unknown };
  if (!isDurable) {
    for (const [key, value] of Object.entries(Object(payload) as object)) {
      if (!(key in request)) {
        Object.defineProperty(request, key, { value, enumerable: true });
      }
    }
  }
  moduleRef.registerRequestByContextId(isDurable ? payload : request, contextId);
  return contextId;
}
