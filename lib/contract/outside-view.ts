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
 * A part of the job schedulers of a queue.
 *
 * @public
 */
export interface SchedulerPage {
  /** How many are passed over. */
  readonly offset: number;
  /** How many there are at most; `null` for all. */
  readonly limit: number | null;
  /** `ascending`: the next to come first. */
  readonly order: 'ascending' | 'descending';
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
  /** A part of the job schedulers that clients of BullMQ have stored, in the order of their next iterations. */
  schedulers(page: SchedulerPage): Promise<StoredScheduler[]>;
  /** One of them, or `null`. */
  scheduler(id: string): Promise<StoredScheduler | null>;
  /** How many they are. */
  countSchedulers(): Promise<number>;
}
