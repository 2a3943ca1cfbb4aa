import { systemClock, type Clock } from '../../contract/clock';
import type { LaneBackend, OpenQueueRequest, QueueBackend } from '../../contract/queue-backend';
import { EmbeddedMachine } from '../embedded/machine';
import { MemoryStore } from './memory-store';

/**
 * Settings of a memory backend.
 *
 * @public
 */
export interface MemoryOptions {
  /** Time source of the store, for tests. Default: the machine's clock. */
  clock?: Clock;
}

const CAPABILITIES = { durable: false, server: false } as const;

/**
 * A backend in the memory of the process, with a store of its own: what it holds is gone with the value, and other
 * processes do not see it. For development, tests and work that may be lost.
 *
 * @public
 */
export function memory(options: MemoryOptions = {}): LaneBackend {
  const machine = newMachine(options.clock ?? systemClock);
  return {
    kind: 'memory',
    capabilities: CAPABILITIES,
    openQueue: (request: OpenQueueRequest): QueueBackend => machine.openQueue(request),
  };
}

const sharedStores = new Map<string, { readonly machine: EmbeddedMachine; users: number }>();

/**
 * The backend of a `memory:` URL, as a value. All of one name share a store within the process, which is dropped when
 * its last handle closes.
 *
 * @param name - what follows the scheme: `jobs` in `memory:jobs`; may be empty
 *
 * @public
 */
export function sharedMemory(name: string): LaneBackend {
  return {
    kind: 'memory',
    capabilities: CAPABILITIES,
    openQueue(request: OpenQueueRequest): QueueBackend {
      const shared = sharedStores.get(name) ?? { machine: newMachine(systemClock), users: 0 };
      sharedStores.set(name, shared);
      shared.users += 1;
      const onClose = (): void => {
        shared.users -= 1;
        if (shared.users === 0) {
          sharedStores.delete(name);
        }
      };
      return shared.machine.openQueue(request, onClose);
    },
  };
}

function newMachine(clock: Clock): EmbeddedMachine {
  return new EmbeddedMachine(new MemoryStore(), clock);
}
