import { MAX_BATCH, MAX_BATCH_SIZE } from '../../contract/mutating-call';
import { nextTurn } from './next-turn';

interface Entry<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Items from which on a call is worth being made in two. */
const MIN_HALVED = 8;

/**
 * Joins what is submitted in one turn of the event loop into calls of at most `MAX_BATCH` items and
 * `MAX_BATCH_SIZE` characters, in the order of submission.
 *
 * It waits for the end of the turn, not of the microtasks: a loop that awaits each add on an embedded backend would
 * keep everything else in the process from running.
 *
 * To a store on a server, half of the items go out while no call is under way, and the others a turn later: it works on
 * the first call while this process makes up the second, and so they go on, because callers that wait for their results
 * come back when their half is answered. Two calls sent together would be answered together, and each side would wait
 * for the other in turn.
 *
 * @internal
 */
export class CallBatcher<Item, Result> {
  #entries: Entry<Item, Result>[] = [];
  #scheduled = false;
  #isHalfSent = false;
  readonly #open = new Set<Promise<unknown>>();

  /**
   * @param send - carries out one call: one result per item, in order
   * @param sizeOf - characters that an item takes up in a call
   * @param isServer - whether the store works beside this process, not in it
   */
  constructor(
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly sizeOf: (item: Item) => number,
    private readonly isServer: () => boolean,
  ) {}

  /** Adds an item to the next call; resolves with its result. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#entries.push({ item, size: this.sizeOf(item), resolve, reject });
      this.#schedule();
    });
  }

  /** Sends items as one call, however many they are, behind all that was submitted before. */
  submitTogether(items: readonly Item[]): Promise<Result[]> {
    this.flush();
    const entries: Entry<Item, Result>[] = [];
    const results = items.map(
      (item) => new Promise<Result>((resolve, reject) => entries.push({ item, size: 0, resolve, reject })),
    );
    if (entries.length > 0) {
      this.#sendBatch(entries);
    }
    return Promise.all(results);
  }

  #schedule(): void {
    if (!this.#scheduled) {
      this.#scheduled = true;
      nextTurn(() => {
        this.#scheduled = false;
        this.#sendTurn();
      });
    }
  }

  /** Sends what the turn has brought, or the first half of it. */
  #sendTurn(): void {
    const count = this.#entries.length;
    this.#isHalfSent = count >= MIN_HALVED && this.#open.size === 0 && !this.#isHalfSent && this.isServer();
    if (this.#isHalfSent) {
      this.#send(firstHalf(count));
      this.#schedule();
    } else {
      this.#send(count);
    }
  }

  /** Sends what was submitted so far, now. */
  flush(): void {
    this.#send(this.#entries.length);
  }

  /** Sends the first items. */
  #send(count: number): void {
    const entries = this.#entries;
    this.#entries = entries.slice(count);
    let from = 0;
    while (from < count) {
      const to = endOfBatch(entries, from, count);
      this.#sendBatch(entries.slice(from, to));
      from = to;
    }
  }

  /** Sends what was submitted so far and waits until all of it was answered, well or badly. */
  async settled(): Promise<void> {
    this.flush();
    if (this.#open.size > 0) {
      await Promise.all(this.#open);
    }
  }

  #sendBatch(entries: readonly Entry<Item, Result>[]): void {
    const call = this.#carryOut(entries);
    this.#open.add(call);
    void call.finally(() => this.#open.delete(call));
  }

  async #carryOut(entries: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.send(entries.map((entry) => entry.item));
      entries.forEach((entry, index) => entry.resolve(results[index]!));
    } catch (error) {
      entries.forEach((entry) => entry.reject(error));
    }
  }
}

/** Half of the items, and of the calls where they take several. */
function firstHalf(count: number): number {
  return count > MAX_BATCH ? MAX_BATCH * Math.ceil(count / MAX_BATCH / 2) : Math.ceil(count / 2);
}

function endOfBatch(entries: readonly { size: number }[], from: number, most: number): number {
  let size = entries[from]!.size;
  let to = from + 1;
  while (to < most && to - from < MAX_BATCH && size + entries[to]!.size <= MAX_BATCH_SIZE) {
    size += entries[to]!.size;
    to += 1;
  }
  return to;
}
