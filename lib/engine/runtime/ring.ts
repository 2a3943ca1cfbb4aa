/**
 * A row that is added to at its end and taken from at its beginning, at the same cost however long it is.
 *
 * @internal
 */
export class Ring<Item> {
  #items: Item[] = [];
  #start = 0;

  get length(): number {
    return this.#items.length - this.#start;
  }

  get first(): Item | undefined {
    return this.#items[this.#start];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): void {
    this.take(1);
  }

  /** Takes the first ones out, at most so many. */
  take(count: number): Item[] {
    const taken = this.#items.slice(this.#start, this.#start + count);
    this.#start += taken.length;
    if (this.#start * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
    return taken;
  }

  clear(): void {
    this.#items = [];
    this.#start = 0;
  }
}
