/**
 * A place in an index: two numbers, compared one after the other.
 *
 * @internal
 */
export type Place = readonly [major: number, minor: number];

/** @internal */
export interface IndexRange {
  /** Lowest place, included. */
  readonly from: Place;
  /** Highest place, included. */
  readonly to: Place;
  /** Entries to skip, in the direction of reading. */
  readonly offset: number;
  /** Most entries to read. */
  readonly limit: number;
  readonly descending: boolean;
}

type Visit<Value> = (value: Value, major: number, minor: number) => void;

/** Entries of a full block. */
const CAPACITY = 128;

/** A block with fewer entries is joined with a neighbour, if there is room. */
const SPARSE = CAPACITY / 4;

/** Neighbouring entries in typed arrays, so that a search touches no object; free room is at either end. */
class Block<Value> {
  readonly majors = new Float64Array(CAPACITY);
  readonly minors = new Float64Array(CAPACITY);
  readonly values = new Array<Value | undefined>(CAPACITY).fill(undefined);
  start = 0;
  end = 0;

  get size(): number {
    return this.end - this.start;
  }

  /** Whether the entry at a position comes before a place. */
  isBefore(position: number, major: number, minor: number): boolean {
    const found = this.majors[position]!;
    return found < major || (found === major && this.minors[position]! < minor);
  }

  /** Position of the first entry that is not before a place; `end` when all are. */
  lowerBound(major: number, minor: number): number {
    let low = this.start;
    if (!this.isBefore(low, major, minor)) {
      return low;
    }
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBefore(middle, major, minor)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  set(position: number, major: number, minor: number, value: Value): void {
    this.majors[position] = major;
    this.minors[position] = minor;
    this.values[position] = value;
  }

  /** Moves the entries from `first` up to `last`, excluded, one position down. */
  moveDown(first: number, last: number): void {
    for (let position = first; position < last; position += 1) {
      this.copyEntry(position, position - 1);
    }
  }

  /** Moves the entries from `first` up to `last`, excluded, one position up. */
  moveUp(first: number, last: number): void {
    for (let position = last - 1; position >= first; position -= 1) {
      this.copyEntry(position, position + 1);
    }
  }

  private copyEntry(from: number, to: number): void {
    this.majors[to] = this.majors[from]!;
    this.minors[to] = this.minors[from]!;
    this.values[to] = this.values[from];
  }

  insert(position: number, major: number, minor: number, value: Value): void {
    if (this.end < CAPACITY) {
      this.moveUp(position, this.end);
      this.end += 1;
      this.set(position, major, minor, value);
    } else {
      this.moveDown(this.start, position);
      this.start -= 1;
      this.set(position - 1, major, minor, value);
    }
  }

  remove(position: number): void {
    if (position - this.start < this.end - 1 - position) {
      this.moveUp(this.start, position);
      this.values[this.start] = undefined;
      this.start += 1;
    } else {
      this.moveDown(position + 1, this.end);
      this.end -= 1;
      this.values[this.end] = undefined;
    }
  }

  private moveToStart(): void {
    const { start, end } = this;
    for (let position = start; position < end; position += 1) {
      this.copyEntry(position, position - start);
    }
    this.start = 0;
    this.end = end - start;
    this.values.fill(undefined, this.end, end);
  }

  /** Takes over the entries of another block from a position on, behind its own. */
  appendFrom(other: Block<Value>, first: number): void {
    if (this.end + other.end - first > CAPACITY) {
      this.moveToStart();
    }
    for (let position = first; position < other.end; position += 1) {
      this.set(this.end, other.majors[position]!, other.minors[position]!, other.values[position]!);
      this.end += 1;
    }
  }
}

/** Emptied blocks for the next use, of any index: a queue that is short all the time fills and empties one often. */
const spareBlocks: Block<unknown>[] = [];
const MAX_SPARE_BLOCKS = 32;

function newBlock<Value>(): Block<Value> {
  return (spareBlocks.pop() as Block<Value> | undefined) ?? new Block<Value>();
}

/** @param block - without entries */
function discard(block: Block<unknown>): void {
  if (spareBlocks.length < MAX_SPARE_BLOCKS) {
    block.start = 0;
    block.end = 0;
    spareBlocks.push(block);
  }
}

/**
 * Values in the order of their places, of which no two are equal.
 *
 * What queues do most, adding behind the last and taking the first, costs a few steps. Everything else costs a
 * search, and a move within one block.
 *
 * @internal
 */
export class OrderedIndex<Value> {
  readonly #blocks: Block<Value>[] = [];
  #size = 0;

  /** Number of entries. */
  get size(): number {
    return this.#size;
  }

  /** Number of blocks that the entries take. */
  get blocks(): number {
    return this.#blocks.length;
  }

  /** Adds an entry. Its place must be free. */
  insert(major: number, minor: number, value: Value): void {
    this.#size += 1;
    const last = this.#blocks.at(-1);
    if (last === undefined || last.isBefore(last.end - 1, major, minor)) {
      this.#append(last, major, minor, value);
      return;
    }
    const index = this.#blockOf(major, minor);
    const block = this.#blocks[index]!;
    if (block.size === CAPACITY) {
      this.#split(index);
      this.#insertInto(block.isBefore(block.end - 1, major, minor) ? index + 1 : index, major, minor, value);
    } else {
      this.#insertInto(index, major, minor, value);
    }
  }

  /**
   * Removes the entry at a place.
   *
   * @returns its value, or `undefined` when there is none
   */
  remove(major: number, minor: number): Value | undefined {
    const index = this.#blockOf(major, minor);
    const block = this.#blocks[index];
    if (block === undefined) {
      return undefined;
    }
    const position = block.lowerBound(major, minor);
    if (block.majors[position] !== major || block.minors[position] !== minor) {
      return undefined;
    }
    const value = block.values[position];
    block.remove(position);
    this.#size -= 1;
    if (block.size === 0) {
      this.#removeBlock(index);
    } else if (block.size < SPARSE && this.#blocks.length > 1) {
      this.#join(index);
      this.#join(Math.max(0, index - 1));
    }
    return value;
  }

  /** First part of the place of the first entry; NaN when there is none. */
  get firstMajor(): number {
    const block = this.#blocks[0];
    return block === undefined ? NaN : block.majors[block.start]!;
  }

  /** Second part of it. */
  get firstMinor(): number {
    const block = this.#blocks[0];
    return block === undefined ? NaN : block.minors[block.start]!;
  }

  /**
   * Removes the first entry, if there is one.
   *
   * @returns its value
   */
  removeFirst(): Value | undefined {
    const block = this.#blocks[0];
    return block === undefined
      ? undefined
      : this.remove(block.majors[block.start]!, block.minors[block.start]!);
  }

  /**
   * Removes the last entry, if there is one.
   *
   * @returns its value
   */
  removeLast(): Value | undefined {
    const block = this.#blocks.at(-1);
    return block === undefined
      ? undefined
      : this.remove(block.majors[block.end - 1]!, block.minors[block.end - 1]!);
  }

  /** Number of entries whose places come before a given one. */
  countBefore(major: number, minor: number): number {
    const index = this.#blockOf(major, minor);
    let count = 0;
    for (let at = 0; at < index; at += 1) {
      count += this.#blocks[at]!.size;
    }
    const block = this.#blocks[index];
    return block === undefined ? count : count + block.lowerBound(major, minor) - block.start;
  }

  /** Calls back with the values of a range, in order. */
  read(range: IndexRange, visit: Visit<Value>): void {
    if (range.descending) {
      this.#readBackwards(range, visit);
    } else {
      this.#readForwards(range, visit);
    }
  }

  #readForwards({ from, to, offset, limit }: IndexRange, visit: Visit<Value>): void {
    let index = this.#blockOf(from[0], from[1]);
    let skip = offset;
    let left = limit;
    for (let first = true; index < this.#blocks.length && left > 0; index += 1, first = false) {
      const block = this.#blocks[index]!;
      let position = first ? block.lowerBound(from[0], from[1]) : block.start;
      const skipped = Math.min(skip, block.end - position);
      skip -= skipped;
      position += skipped;
      for (; position < block.end && left > 0; position += 1, left -= 1) {
        if (isAfter(block, position, to)) {
          return;
        }
        visit(block.values[position]!, block.majors[position]!, block.minors[position]!);
      }
    }
  }

  #readBackwards({ from, to, offset, limit }: IndexRange, visit: Visit<Value>): void {
    let index = Math.min(this.#blockOf(to[0], to[1]), this.#blocks.length - 1);
    let skip = offset;
    let left = limit;
    for (let first = true; index >= 0 && left > 0; index -= 1, first = false) {
      const block = this.#blocks[index]!;
      let end = first ? block.lowerBound(to[0], to[1]) : block.end;
      if (first && end < block.end && !isAfter(block, end, to)) {
        end += 1;
      }
      const skipped = Math.min(skip, end - block.start);
      skip -= skipped;
      for (let position = end - skipped - 1; position >= block.start && left > 0; position -= 1, left -= 1) {
        if (block.isBefore(position, from[0], from[1])) {
          return;
        }
        visit(block.values[position]!, block.majors[position]!, block.minors[position]!);
      }
    }
  }

  /** Index of the first block whose last entry is not before a place. */
  #blockOf(major: number, minor: number): number {
    const blocks = this.#blocks;
    const first = blocks[0];
    if (first === undefined || !first.isBefore(first.end - 1, major, minor)) {
      return 0;
    }
    let low = 1;
    let high = blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const block = blocks[middle]!;
      if (block.isBefore(block.end - 1, major, minor)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #append(last: Block<Value> | undefined, major: number, minor: number, value: Value): void {
    let block = last;
    if (block === undefined || block.end === CAPACITY) {
      block = newBlock();
      this.#blocks.push(block);
    }
    block.set(block.end, major, minor, value);
    block.end += 1;
  }

  #insertInto(index: number, major: number, minor: number, value: Value): void {
    const block = this.#blocks[index]!;
    block.insert(block.lowerBound(major, minor), major, minor, value);
  }

  #removeBlock(index: number): void {
    discard(this.#blocks[index]!);
    if (index === 0) {
      this.#blocks.shift();
    } else {
      this.#blocks.splice(index, 1);
    }
  }

  /** Moves the upper half of a block to a new one behind it. */
  #split(index: number): void {
    const block = this.#blocks[index]!;
    const middle = (block.start + block.end) >>> 1;
    const upper = newBlock<Value>();
    upper.appendFrom(block, middle);
    block.values.fill(undefined, middle, block.end);
    block.end = middle;
    this.#blocks.splice(index + 1, 0, upper);
  }

  /**
   * Joins a block with the next one, if together they leave room. Blocks that lose entries in the middle would
   * otherwise stay for ever, each with room for many.
   */
  #join(index: number): void {
    const block = this.#blocks[index]!;
    const next = this.#blocks[index + 1];
    if (next !== undefined && block.size + next.size <= CAPACITY / 2) {
      block.appendFrom(next, next.start);
      next.values.fill(undefined, next.start, next.end);
      this.#removeBlock(index + 1);
    }
  }
}

function isAfter(block: Block<unknown>, position: number, place: Place): boolean {
  const found = block.majors[position]!;
  return found > place[0] || (found === place[0] && block.minors[position]! > place[1]);
}
