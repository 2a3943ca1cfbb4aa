import { Logger } from '@nestjs/common';

import { asError } from '../../engine/runtime/safe-emitter';
import { startWhenFailed } from '../messages/worker.messages';
import type { LaneConnection, LaneResources } from './lane-resources';
import type { LaneStates } from './lane-states';
import { stackOf } from './stack-of';
import type { WorkerPool } from './worker-pool';

/**
 * Starts the workers that start by themselves: those of each connection when its `startWhen` says so.
 *
 * @internal
 */
export class OwnStart {
  readonly #logger = new Logger('LaneModule');
  readonly #begun = new Set<string>();

  constructor(
    private readonly pool: WorkerPool,
    private readonly resources: LaneResources,
    private readonly states: LaneStates,
  ) {}

  /** Whether workers of the connection that come up now are to start. */
  hasBegun(connection: string): boolean {
    return this.#begun.has(connection);
  }

  /** Whether some workers wait for a `startWhen`. */
  get waits(): boolean {
    return this.#connections.some(({ registration: { work } }) => work.startWhen !== undefined);
  }

  /** Resolves when nothing is waited for any more; never rejects. */
  async begin(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => this.#begin(connection)));
  }

  /** Those whose workers start by themselves. */
  get #connections(): readonly LaneConnection[] {
    return this.resources.connections.filter(
      ({ registration: { work } }) => work.start === 'bootstrap' && work.role !== 'producer',
    );
  }

  async #begin({ registration: { name, work } }: LaneConnection): Promise<void> {
    try {
      if (work.startWhen !== undefined) {
        await work.startWhen();
      }
    } catch (error) {
      this.#logger.error(startWhenFailed(name, asError(error)), stackOf(error));
      return;
    }
    // The application may have been closed meanwhile.
    if (!this.states.isEnding) {
      this.#begun.add(name);
      const own = this.pool.workers.filter(({ plan }) => plan.connection === name);
      await this.pool.start('startWhen', own);
    }
  }
}
