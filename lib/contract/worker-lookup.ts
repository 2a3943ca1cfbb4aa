/**
 * A worker, as the store sees it.
 *
 * @public
 */
export interface WorkerInfo {
  /** Its own name, or `null` if it has none. (BullMQ's `getWorkers` has the name of the queue in this place.) */
  name: string | null;
  /** Host and port that it speaks to the server from, or `null` where the store is part of the process. */
  address: string | null;
  /** What the server calls its connection, where there is one. */
  connectionId?: string;
  /** Seconds for which it has been connected, where it is to a server. */
  connectedFor?: number;
}

/**
 * Finding the workers of a queue.
 *
 * @public
 */
export interface WorkerLookup {
  /**
   * The workers of the queue, in any order: handles of role `worker`, busy or idle, from `ready` or their first claim
   * until they are closed. A server may take a moment to see that one came or went.
   *
   * @throws CommandForbiddenError when the server does not tell who is connected
   */
  getWorkers(): Promise<WorkerInfo[]>;
}
