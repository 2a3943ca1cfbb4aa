import type { JobRecord } from '../model/job-record';
import type { Store } from '../backends/embedded/store';
import type { Place } from './journal';

/**
 * A job in the hands of a worker.
 *
 * @internal
 */
export interface HeldJob {
  readonly place: Place;
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly token: string;
  readonly store: Store;
}

/**
 * The jobs that workers hold, and those that were lost with a worker that has crashed: of them nothing is written any
 * more.
 *
 * @internal
 */
export class HeldJobs {
  readonly #held = new Map<string, HeldJob>();
  readonly #lost = new Set<string>();

  claimed(place: Place, store: Store, { id, name, attemptsMade }: JobRecord, token: string): void {
    this.#held.set(leaseKey(id, token), { place, id, name, attempt: attemptsMade + 1, token, store });
  }

  /** Those that are held still, whichever way the others have gone. */
  present(): HeldJob[] {
    for (const [key, { place, id, token, store }] of this.#held) {
      const job = store.get('jobs', place.queue, id);
      if (job?.state !== 'active' || job.token !== token) {
        this.#held.delete(key);
      }
    }
    return [...this.#held.values()];
  }

  lose(id: string, token: string): HeldJob | undefined {
    const key = leaseKey(id, token);
    const held = this.#held.get(key);
    this.#held.delete(key);
    this.#lost.add(key);
    return held;
  }

  isLost({ id, token }: { readonly id: string; readonly token: string }): boolean {
    return this.#lost.has(leaseKey(id, token));
  }
}

/** Several jobs of one claim have one token. */
function leaseKey(id: string, token: string): string {
  return `${token} ${id}`;
}
