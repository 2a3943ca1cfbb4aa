import { MAX_BATCH, MAX_BATCH_SIZE } from '../../contract/mutating-call';

interface Entry<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins what is submitted in one turn of the event loop into calls of at most `MAX_BATCH` items and
 * `MAX_BATCH_SIZE` characters, in the order of submission.
 *
 * It waits for the end of the turn, not of the microtasks: a loop that awaits each add on an embedded backend would
 * keep everything else in the process from running.
 *
 * @internal
 */
export class CallBatcher<Item, Result> {
  #entries: Entry<Item, Result>[] = [];
  #scheduled = false;
  readonly #open = new Set<Promise<unknown>>();

  /**
   * @param send - carries out one call: one result per item, in order
   * @param sizeOf - characters that an item takes up in a call
   */
  constructor(
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly sizeOf: (item: Item) => number,
  ) {}

  /** Adds an item to the next call; resolves with its result. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#entries.push({ item, size: this.sizeOf(item), resolve, reject });
      if (!this.#scheduled) {
        this.#scheduled = true;
        setImmediate(() => this.flush());
      }
    });
  }

  /** Sends what was submitted so far, now. */
  flush(): void {
    this.#scheduled = false;
    const entries = this.#entries;
    this.#entries = [];
    let from = 0;
    while (from < entries.length) {
      const to = endOfBatch(entries, from);
      this.#sendBatch(entries.slice(from, to));
      from = to;
    }
  }

  /** Sends what was submitted so far and waits until all of it was answered, well or badly. */
  async settled(): Promise<void> {
    if (this.#entries.length > 0) {
      this.flush();
    }
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

function endOfBatch(entries: readonly { size: number }[], from: number): number {
  let size = entries[from]!.size;
  let to = from + 1;
  while (to < entries.length && to - from < MAX_BATCH && size + entries[to]!.size <= MAX_BATCH_SIZE) {
    size += entries[to]!.size;
    to += 1;
  }
  return to;
}
