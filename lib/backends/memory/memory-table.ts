import {
  INDEXES,
  TABLE_KEYS,
  type CallRow,
  type ExpiryRow,
  type IndexName,
  type JobRow,
  type LogRow,
  type Rows,
  type TableName,
} from '../embedded/store';
import { OrderedIndex } from './ordered-index';
import { ROW_COPIES } from './row-copies';

type Column<Row, Value> = (row: Row) => Value;

/** A column that decides where a row is found. */
type PlaceColumn =
  (typeof TABLE_KEYS)[TableName][number] | (typeof INDEXES)[IndexName]['group' | 'order'][number];

/** How such columns are read: a function each, as one for all of them would be several times slower. */
const COLUMNS: { readonly [Name in PlaceColumn]: (row: never) => unknown } = {
  queue: (row: { queue: string }) => row.queue,
  id: (row: JobRow) => row.id,
  state: (row: JobRow) => row.state,
  order: (row: JobRow) => row.order,
  sequence: (row: JobRow) => row.sequence,
  caller: (row: CallRow) => row.caller,
  channel: (row: CallRow) => row.channel,
  expiresAt: (row: CallRow | ExpiryRow) => row.expiresAt,
  written: (row: CallRow) => row.written,
  job: (row: LogRow | ExpiryRow) => row.job,
  place: (row: LogRow) => row.place,
};

/**
 * Where a row is kept. Indexes lead here, so that a row which keeps its place in an index can be replaced without a
 * look at the index.
 *
 * @internal
 */
export interface Cell<Row> {
  row: Row;
}

/**
 * Rows by their key, and in the order of each index of the table. It keeps the very objects that it is given and
 * never changes one.
 *
 * @internal
 */
export class MemoryTable<Row extends object> {
  readonly firstOf: Column<Row, string>;
  readonly secondOf: Column<Row, string>;
  readonly #cells = new Map<string, Map<string, Cell<Row>>>();
  readonly #indexNames: IndexName[] = [];
  readonly #indexes: TableIndex<Row>[] = [];

  private constructor(
    name: TableName,
    readonly copy: (row: Row) => Row,
  ) {
    [this.firstOf, this.secondOf] = textColumns(TABLE_KEYS[name]);
    for (const [indexName, index] of Object.entries(INDEXES)) {
      if (index.table === name) {
        this.#indexNames.push(indexName as IndexName);
        this.#indexes.push(new TableIndex(index));
      }
    }
  }

  static create<Table extends TableName>(name: Table): MemoryTable<Rows[Table]> {
    return new MemoryTable<Rows[Table]>(name, ROW_COPIES[name]);
  }

  get(first: string, second: string): Row | undefined {
    return this.#cells.get(first)?.get(second)?.row;
  }

  /** The rows of a group of an index, if it has any. */
  group(index: IndexName, first: string, second: string): OrderedIndex<Cell<Row>> | undefined {
    return this.#indexes[this.#indexNames.indexOf(index)]!.group(first, second);
  }

  /**
   * Puts a row in the place of the one with its key, or removes that.
   *
   * @returns the row that was there
   */
  replace(first: string, second: string, row: Row | undefined): Row | undefined {
    const cell = this.#cells.get(first)?.get(second);
    if (cell === undefined) {
      if (row !== undefined) {
        this.#insert(first, second, { row });
      }
      return undefined;
    }
    const before = cell.row;
    if (row === undefined) {
      removeFrom(this.#cells, first, second);
      for (const index of this.#indexes) {
        index.remove(before);
      }
    } else {
      cell.row = row;
      for (const index of this.#indexes) {
        index.move(before, cell);
      }
    }
    return before;
  }

  #insert(first: string, second: string, cell: Cell<Row>): void {
    groupOf(this.#cells, first).set(second, cell);
    for (const index of this.#indexes) {
      index.insert(cell);
    }
  }
}

class TableIndex<Row extends object> {
  readonly #groups = new Map<string, Map<string, OrderedIndex<Cell<Row>>>>();
  readonly #first: Column<Row, string>;
  readonly #second: Column<Row, string>;
  readonly #major: Column<Row, number>;
  readonly #minor: Column<Row, number>;

  constructor({ group, order: [major, minor] }: (typeof INDEXES)[IndexName]) {
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

  /** The cell has another row now. */
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

function textColumns<Row>([first, second]: readonly [PlaceColumn, PlaceColumn?]): [
  Column<Row, string>,
  Column<Row, string>,
] {
  return [column(first), second === undefined ? () => '' : column(second)];
}

function column<Row, Value>(name: PlaceColumn): Column<Row, Value> {
  return COLUMNS[name] as Column<unknown, Value>;
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
