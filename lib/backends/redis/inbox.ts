import type { CancelNotice } from '../../contract/job-cancelling';
import type { RedisClient } from './redis-client';

/** Milliseconds for which a message that nobody reads is kept. */
const KEPT = 60_000;

/**
 * Where a handle gets messages while it waits on the server: a set beside the marker for its work, a stream beside the
 * event log for its events.
 *
 * @internal
 */
export class Inbox {
  readonly work: string;
  readonly events: string;

  /** @param client - on which messages are sent */
  constructor(
    private readonly client: RedisClient,
    base: string,
    caller: string,
  ) {
    this.work = `${base}ln:i.${caller}`;
    this.events = `${base}ln:e.${caller}`;
  }

  /** Ends the wait for work. */
  endWait(): Promise<unknown> {
    return this.client.use((client) =>
      client.multi().zadd(this.work, 0, 'end').pexpire(this.work, KEPT).exec(),
    );
  }

  /** Ends the wait for events. */
  endReading(): Promise<unknown> {
    return this.client.use((client) =>
      client.multi().xadd(this.events, 'MAXLEN', 1, '*', 'message', 'end').pexpire(this.events, KEPT).exec(),
    );
  }
}

const CANCEL = 'cancel';

/**
 * The notice that a message to the wait for work is, if it is one. See lua/commands/cancel-jobs.lua.
 *
 * @internal
 */
export function toCancelNotice(message: string): CancelNotice | undefined {
  return message.startsWith(CANCEL) ? (JSON.parse(message.slice(CANCEL.length)) as CancelNotice) : undefined;
}
