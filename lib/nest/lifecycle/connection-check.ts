import type { LaneBackend } from '../../contract/queue-backend';
import { endsWithin } from '../../engine/runtime/wait';
import { asError } from '../../engine/runtime/safe-emitter';
import { systemClock } from '../../contract/clock';
import { ConnectionLostError } from '../../model/errors/connection-lost.error';

/** Milliseconds that a server has to answer when an application starts. */
const PATIENCE = 5_000;

/**
 * Asks the server of a backend once.
 *
 * @param queueName - a queue of the application
 * @returns why it cannot be used, or `undefined` when it can be, and where there is no server
 *
 * @internal
 */
export async function checkConnection(backend: LaneBackend, queueName: string): Promise<Error | undefined> {
  if (!backend.capabilities.server) {
    return undefined;
  }
  const handle = backend.openQueue({ queueName, role: 'producer' });
  try {
    const ready = handle.ready();
    if (!(await endsWithin(systemClock, ready, PATIENCE))) {
      return new ConnectionLostError(`The ${backend.kind} server, which did not answer for 5 s,`, false);
    }
    await ready;
    return undefined;
  } catch (error) {
    return asError(error);
  } finally {
    // Whether it can be freed says nothing about the server.
    handle.close().catch(() => undefined);
  }
}
