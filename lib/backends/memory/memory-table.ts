import { INDEXES, TABLE_KEYS, type IndexName, type Rows, type TableName } from '../embedded/store';
import { OrderedIndex } from './ordered-index';
import { ROW_COPIES, type RowCopies } from './row-copies';

type Column<Row, Value> = (row: Row) => Value;

/**
 * Rows by their key, and in the order of each index of the table.
 *
 * A row that is kept stays the same object whatever its content: a new one for each change would soon be old
 * garbage, which is dear to collect, where the copies that are handed out die young.
 *
 * @internal
 */
export class MemoryTable<Row extends object> {
  readonly firstOf: Column<Row, string>;
  readonly secondOf: Column<Row, string>;
  readonly copy: RowCopies<Row>['copy'];
  readonly #assign: RowCopies<Row>['assign'];
  readonly #rows = new Map<string, Map<string, Row>>();
  readonly #indexNames: IndexName[] = [];
  readonly #indexes: TableIndex<Row>[] = [];

  private constructor(name: TableName, { copy, assign }: RowCopies<Row>) {
    [this.firstOf, this.secondOf] = textColumns(TABLE_KEYS[name]);
    this.copy = copy;
    this.#assign = assign;
    for (const [indexName, { table, group, order }] of Object.entries(INDEXES)) {
      if (table === name) {
        this.#indexNames.push(indexName as IndexName);
        this.#indexes.push(new TableIndex(group, order));
      }
    }
  }

  static create<Table extends TableName>(name: Table): MemoryTable<Rows[Table]> {
    return new MemoryTable<Rows[Table]>(name, ROW_COPIES[name]);
  }

  /** The row as it is kept, which only the table may change. */
  find(first: string, second: string): Row | undefined {
    return this.#rows.get(first)?.get(second);
  }

  /** The rows of a group of an index, if it has any. */
  group(index: IndexName, first: string, second: string): OrderedIndex<Row> | undefined {
    return this.#indexes[this.#indexNames.indexOf(index)]!.group(first, second);
  }

  insert(row: Row): void {
    const kept = this.copy(row);
    groupOf(this.#rows, this.firstOf(row)).set(this.secondOf(row), kept);
    for (const index of this.#indexes) {
      index.insert(kept);
    }
  }

  /** Gives a kept row another content of the same key. */
  change(kept: Row, content: Row): void {
    for (const index of this.#indexes) {
      if (index.placesAlike(kept, content)) {
        continue;
      }
      index.remove(kept);
      index.insert(kept, content);
    }
    this.#assign(kept, content);
  }

  remove(kept: Row): void {
    removeFrom(this.#rows, this.firstOf(kept), this.secondOf(kept));
    for (const index of this.#indexes) {
      index.remove(kept);
    }
  }
}

class TableIndex<Row extends object> {
  readonly #groups = new Map<string, Map<string, OrderedIndex<Row>>>();
  readonly #first: Column<Row, string>;
  readonly #second: Column<Row, string>;
  readonly #major: Column<Row, number>;
  readonly #minor: Column<Row, number>;

  constructor(group: readonly string[], [major, minor]: readonly [string, string]) {
    [this.#first, this.#second] = textColumns(group);
    this.#major = column(major);
    this.#minor = column(minor);
  }

  group(first: string, second: string): OrderedIndex<Row> | undefined {
    return this.#groups.get(first)?.get(second);
  }

  /** @param content - decides about the place; default: the row itself */
  insert(row: Row, content = row): void {
    const groups = groupOf(this.#groups, this.#first(content));
    const second = this.#second(content);
    let group = groups.get(second);
    if (group === undefined) {
      group = new OrderedIndex();
      groups.set(second, group);
    }
    group.insert(this.#major(content), this.#minor(content), row);
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

  placesAlike(left: Row, right: Row): boolean {
    return (
      this.#minor(left) === this.#minor(right) &&
      this.#major(left) === this.#major(right) &&
      this.#second(left) === this.#second(right) &&
      this.#first(left) === this.#first(right)
    );
  }
}

function column<Row extends object, Value>(name: string): Column<Row, Value> {
  return (row) => (row as Record<string, unknown>)[name] as Value;
}

function textColumns<Row extends object>(
  names: readonly string[],
): [Column<Row, string>, Column<Row, string>] {
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
