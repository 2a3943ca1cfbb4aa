/**
 * A job scheduler that a client of BullMQ has stored.
 *
 * @public
 */
export interface StoredScheduler {
  id: string;
  /** Time of the present or next iteration, in milliseconds since 1970. */
  next: number;
  /** What is stored of it, as texts by field, see the storage protocol, section 11; empty where its definition is gone. */
  fields: Readonly<Record<string, string>>;
}

/**
 * What tools from outside, such as dashboards, see of a queue whose store other clients share.
 *
 * @public
 */
export interface OutsideView {
  /** What the names of the queue's keys begin with, without the colon at the end. */
  readonly qualifiedName: string;
  /**
   * The client of the driver that the handle works on, once it is connected. It is shared, and closed with the handle.
   *
   * @throws ConnectionLostError when the store cannot be reached
   */
  client(): Promise<unknown>;
  /** The job schedulers that clients of BullMQ have stored, the next to come first. */
  schedulers(): Promise<StoredScheduler[]>;
  /** How many they are. */
  countSchedulers(): Promise<number>;
}
