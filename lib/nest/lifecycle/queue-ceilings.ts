import { Logger } from '@nestjs/common';

import { asError } from '../../engine/runtime/safe-emitter';
import { ceilingNotSet } from '../messages/worker.messages';
import type { LaneQueue } from './lane-resources';

/** Milliseconds from one try to the next. */
const RETRY_AFTER = 5_000;

/**
 * Stores the `globalConcurrency` of queues with them, and tries again where a server is away.
 *
 * @internal
 */
export class QueueCeilings {
  readonly #logger = new Logger('LaneModule');
  readonly #retries = new Set<NodeJS.Timeout>();
  #isOver = false;

  /** Resolves when the first try has ended; never rejects. */
  async set(entry: LaneQueue): Promise<void> {
    const { globalConcurrency } = entry.registration;
    if (globalConcurrency !== undefined) {
      await this.#set(entry, globalConcurrency, true);
    }
  }

  /** Tries no more. */
  stop(): void {
    this.#isOver = true;
    this.#retries.forEach((retry) => clearTimeout(retry));
  }

  async #set(entry: LaneQueue, ceiling: number, isFirst: boolean): Promise<void> {
    const { queue, name, connection } = entry;
    try {
      if ((await queue.getGlobalConcurrency()) !== ceiling) {
        await queue.setGlobalConcurrency(ceiling);
      }
    } catch (error) {
      if (this.#isOver) {
        return;
      }
      if (isFirst) {
        this.#logger.warn(ceilingNotSet(name, connection, ceiling, asError(error)));
      }
      const retry = setTimeout(() => {
        this.#retries.delete(retry);
        void this.#set(entry, ceiling, false);
      }, RETRY_AFTER).unref();
      this.#retries.add(retry);
    }
  }
}
