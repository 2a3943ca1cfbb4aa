import type { ModuleRef } from '@nestjs/core';
import { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';

type NestContainer = Parameters<typeof ExternalContextCreator.fromContainer>[0];

/**
 * An `ExternalContextCreator` that knows nothing of the application-wide guards, interceptors, pipes and filters:
 * those are made for requests.
 *
 * It reads from the container of the application, by way of an object that differs from it in its configuration
 * alone. The container is a private field of `ModuleRef` in every major.
 *
 * @internal
 */
export function laneContextCreator(moduleRef: ModuleRef): ExternalContextCreator {
  const { container } = moduleRef as unknown as { container: NestContainer };
  const applicationConfig = new ApplicationConfig();
  return ExternalContextCreator.fromContainer(
    Object.create(container, { applicationConfig: { value: applicationConfig } }) as NestContainer,
  );
}
