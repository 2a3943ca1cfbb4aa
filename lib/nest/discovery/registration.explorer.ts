import type { DynamicModule } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { declaredImports } from '../nest-internals/declared-imports';
import { ConnectionRegistration } from '../registration/connection-registration';
import { QueueRegistration } from '../registration/queue-registration';

type Module = ReturnType<ModulesContainer['getById']> & object;

/**
 * A registration with the modules that import it, as far as they are known.
 *
 * @internal
 */
export interface Placed<Registration> {
  readonly registration: Registration;
  readonly modules: readonly string[];
  /** Those modules themselves. */
  readonly hosts: readonly object[];
}

/** @internal */
export interface FoundRegistrations {
  readonly connections: readonly Placed<ConnectionRegistration>[];
  readonly queues: readonly Placed<QueueRegistration>[];
}

/**
 * Finds what the application's modules gave to `forRoot` and `registerQueue`.
 *
 * @internal
 */
@Injectable()
export class RegistrationExplorer {
  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  explore(): FoundRegistrations {
    const connections: Placed<ConnectionRegistration>[] = [];
    const queues: Placed<QueueRegistration>[] = [];
    for (const moduleRef of this.modules.values()) {
      for (const { instance, token } of moduleRef.providers.values()) {
        const registration: unknown = instance;
        if (registration instanceof ConnectionRegistration) {
          connections.push(placed(registration, this.#declaring(token)));
        } else if (registration instanceof QueueRegistration) {
          queues.push(placed(registration, this.#importing(moduleRef)));
        }
      }
    }
    return { connections, queues };
  }

  #importing(imported: Module): Module[] {
    return [...this.modules.values()].filter(({ imports }) => imports.has(imported));
  }

  /** A connection is global: Nest has every module import it, so those that say so are looked for. */
  #declaring(token: unknown): Module[] {
    return [...this.modules.values()].filter(({ metatype }) =>
      declaredImports(metatype).some((imported) => provides(imported, token)),
    );
  }
}

function placed<Registration>(registration: Registration, hosts: readonly Module[]): Placed<Registration> {
  return { registration, modules: hosts.map(({ name }) => name), hosts };
}

function provides(imported: unknown, token: unknown): boolean {
  const { providers = [] } = (imported ?? {}) as Partial<DynamicModule>;
  return providers.some((provider) => 'provide' in provider && provider.provide === token);
}
