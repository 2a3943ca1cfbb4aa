import { INDEXES, TABLE_KEYS, type IndexName, type TableName } from '../embedded/store';
import { OrderedIndex } from './ordered-index';

/**
 * Where a row is kept. Indexes lead here, so a change that moves the row in none of them touches none.
 *
 * @internal
 */
export interface Cell<Row> {
  row: Row;
}

/**
 * Rows by their key, and in the order of each index of the table. It keeps the very objects it is given.
 *
 * @internal
 */
export class MemoryTable<Row extends object> {
  readonly firstKeyOf: (row: Row) => string;
  readonly secondKeyOf: (row: Row) => string;
  readonly #cells = new Map<string, Map<string, Cell<Row>>>();
  readonly #indexes: ReadonlyMap<string, TableIndex<Row>>;

  constructor(table: TableName) {
    [this.firstKeyOf, this.secondKeyOf] = textColumns(TABLE_KEYS[table]);
    this.#indexes = new Map(
      Object.entries(INDEXES)
        .filter(([, index]) => index.table === table)
        .map(([name, index]) => [name, new TableIndex(index.group, index.order)]),
    );
  }

  get(first: string, second: string): Row | undefined {
    return this.#cells.get(first)?.get(second)?.row;
  }

  /** The rows of a group of an index, if it has any. */
  group(index: IndexName, first: string, second: string): OrderedIndex<Cell<Row>> | undefined {
    return this.#indexes.get(index)!.group(first, second);
  }

  /**
   * Puts a row in the place of the one with its key, or removes that.
   *
   * @returns the row that was there
   */
  replace(first: string, second: string, row: Row | undefined): Row | undefined {
    const cell = this.#cells.get(first)?.get(second);
    const before = cell?.row;
    if (row !== undefined && cell !== undefined) {
      cell.row = row;
      this.#indexes.forEach((index) => index.move(before!, cell));
    } else if (row !== undefined) {
      const added = { row };
      groupOf(this.#cells, first).set(second, added);
      this.#indexes.forEach((index) => index.insert(added));
    } else if (cell !== undefined) {
      removeFrom(this.#cells, first, second);
      this.#indexes.forEach((index) => index.remove(cell.row));
    }
    return before;
  }
}

class TableIndex<Row extends object> {
  readonly #groups = new Map<string, Map<string, OrderedIndex<Cell<Row>>>>();
  readonly #first: (row: Row) => string;
  readonly #second: (row: Row) => string;
  readonly #major: (row: Row) => number;
  readonly #minor: (row: Row) => number;

  constructor(group: readonly string[], [major, minor]: readonly [string, string]) {
    [this.#first, this.#second] = textColumns(group);
    this.#major = column(major);
    this.#minor = column(minor);
  }

  group(first: string, second: string): OrderedIndex<Cell<Row>> | undefined {
    return this.#groups.get(first)?.get(second);
  }

  insert(cell: Cell<Row>): void {
    const { row } = cell;
    const groups = groupOf(this.#groups, this.#first(row));
    const second = this.#second(row);
    let group = groups.get(second);
    if (group === undefined) {
      group = new OrderedIndex();
      groups.set(second, group);
    }
    group.insert(this.#major(row), this.#minor(row), cell);
  }

  remove(row: Row): void {
    const first = this.#first(row);
    const second = this.#second(row);
    const group = this.group(first, second)!;
    group.remove(this.#major(row), this.#minor(row));
    if (group.size === 0) {
      removeFrom(this.#groups, first, second);
    }
  }

  move(before: Row, cell: Cell<Row>): void {
    if (!this.#standAtOnePlace(before, cell.row)) {
      this.remove(before);
      this.insert(cell);
    }
  }

  #standAtOnePlace(left: Row, right: Row): boolean {
    return (
      this.#minor(left) === this.#minor(right) &&
      this.#major(left) === this.#major(right) &&
      this.#second(left) === this.#second(right) &&
      this.#first(left) === this.#first(right)
    );
  }
}

function column<Row extends object, Value>(name: string): (row: Row) => Value {
  return (row) => (row as Record<string, unknown>)[name] as Value;
}

function textColumns<Row extends object>(
  names: readonly string[],
): [(row: Row) => string, (row: Row) => string] {
  const [first, second] = names;
  return [column(first!), second === undefined ? () => '' : column(second)];
}

function groupOf<Value>(groups: Map<string, Map<string, Value>>, first: string): Map<string, Value> {
  let group = groups.get(first);
  if (group === undefined) {
    group = new Map();
    groups.set(first, group);
  }
  return group;
}

function removeFrom<Value>(groups: Map<string, Map<string, Value>>, first: string, second: string): void {
  const group = groups.get(first)!;
  group.delete(second);
  if (group.size === 0) {
    groups.delete(first);
  }
}
