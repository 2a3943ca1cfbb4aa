import type { StoredEvent } from '../../contract/event-log';
import {
  DEPENDENTS,
  INDEXES,
  type EventFields,
  type GroupKey,
  type IndexedRow,
  type IndexName,
  type RowKey,
  type Rows,
  type ScanRange,
  type Store,
  type TableName,
} from '../embedded/store';
import { MemoryLog } from './memory-log';
import { MemoryTable, type Cell } from './memory-table';
import type { OrderedIndex } from './ordered-index';

type AnyTable = MemoryTable<Rows[TableName]>;

/** A row that a step has written, and what was there before. */
interface Write {
  readonly table: AnyTable;
  readonly first: string;
  readonly second: string;
  readonly before: Rows[TableName] | undefined;
}

/**
 * A store in the memory of the process.
 *
 * @internal
 */
export class MemoryStore implements Store {
  readonly #tables = {
    jobs: MemoryTable.create('jobs'),
    queues: MemoryTable.create('queues'),
    calls: MemoryTable.create('calls'),
    logs: MemoryTable.create('logs'),
    expiries: MemoryTable.create('expiries'),
    metrics: MemoryTable.create('metrics'),
    metricPoints: MemoryTable.create('metricPoints'),
  };
  readonly #logs = new Map<string, MemoryLog>();
  /** What the present step has written. */
  readonly #writes: Write[] = [];
  /** The logs that it has written to, with their sizes before. */
  readonly #grownLogs = new Map<MemoryLog, number>();
  /** The logs that it makes shorter, and how many events they keep. */
  readonly #shortenedLogs = new Map<MemoryLog, number>();

  transact<Result>(step: () => Result): Result {
    try {
      const result = step();
      this.#trimLogs();
      return result;
    } catch (error) {
      this.#takeBack();
      throw error;
    } finally {
      this.#writes.length = 0;
      this.#grownLogs.clear();
      this.#shortenedLogs.clear();
    }
  }

  get<Table extends TableName>(name: Table, ...[first, second = '']: RowKey): Rows[Table] | undefined {
    const table = this.#table(name);
    const row = table.get(first, second);
    return row === undefined ? undefined : (table.copy(row) as Rows[Table]);
  }

  put<Table extends TableName>(name: Table, row: Rows[Table]): void {
    const table = this.#table(name);
    this.#write(table, table.firstOf(row), table.secondOf(row), row);
  }

  delete(name: TableName, ...[first, second = '']: RowKey): void {
    this.#remove(name, first, second);
  }

  scan<Index extends IndexName>(index: Index, group: GroupKey, range: ScanRange): IndexedRow<Index>[] {
    const { copy } = this.#table(INDEXES[index].table);
    const rows: IndexedRow<Index>[] = [];
    this.#read(index, group, range, ({ row }) => rows.push(copy(row) as IndexedRow<Index>));
    return rows;
  }

  deleteRange(index: IndexName, group: GroupKey, range: ScanRange): void {
    const table = this.#table(INDEXES[index].table);
    const rows: Rows[TableName][] = [];
    this.#read(index, group, range, ({ row }) => rows.push(row));
    for (const row of rows) {
      this.#remove(INDEXES[index].table, table.firstOf(row), table.secondOf(row));
    }
  }

  count(index: IndexName, group: GroupKey, range?: { from?: number; to?: number }): number {
    const found = this.#group(index, group);
    if (found === undefined || range === undefined) {
      return found?.size ?? 0;
    }
    const { from = -Infinity, to = Infinity } = range;
    return found.countBefore(to, Infinity) - found.countBefore(from, -Infinity);
  }

  append(queue: string, millis: number, number: number, fields: EventFields): void {
    let log = this.#logs.get(queue);
    if (log === undefined) {
      log = new MemoryLog();
      this.#logs.set(queue, log);
    }
    if (!this.#grownLogs.has(log)) {
      this.#grownLogs.set(log, log.length);
    }
    log.append(millis, number, fields);
  }

  countEvents(queue: string): number {
    return this.#logs.get(queue)?.length ?? 0;
  }

  trimEvents(queue: string, most: number): void {
    const log = this.#logs.get(queue);
    if (log !== undefined) {
      this.#shortenedLogs.set(log, Math.min(most, this.#shortenedLogs.get(log) ?? Infinity));
    }
  }

  isCutAfter(queue: string, millis: number, number: number): boolean {
    return this.#logs.get(queue)?.isCutAfter(millis, number) ?? false;
  }

  eventsAfter(queue: string, millis: number, number: number, limit: number): StoredEvent[] {
    return this.#logs.get(queue)?.after(millis, number, limit) ?? [];
  }

  #table(name: TableName): AnyTable {
    return this.#tables[name] as unknown as AnyTable;
  }

  #read(
    index: IndexName,
    group: GroupKey,
    { from = -Infinity, to = Infinity, offset = 0, limit, descending = false }: ScanRange,
    visit: (cell: Cell<Rows[TableName]>) => void,
  ): void {
    const range = { from: [from, -Infinity], to: [to, Infinity], offset, limit, descending } as const;
    this.#group(index, group)?.read(range, visit);
  }

  #group(index: IndexName, [first, second = '']: GroupKey): OrderedIndex<Cell<Rows[TableName]>> | undefined {
    return this.#table(INDEXES[index].table).group(index, first, second);
  }

  #remove(name: TableName, first: string, second: string): void {
    this.#write(this.#table(name), first, second, undefined);
    const dependents = DEPENDENTS[name];
    if (dependents !== undefined && this.count(dependents, [first, second]) > 0) {
      this.deleteRange(dependents, [first, second], { limit: Infinity });
    }
  }

  #write(table: AnyTable, first: string, second: string, content: Rows[TableName] | undefined): void {
    this.#writes.push({ table, first, second, before: table.replace(first, second, content) });
  }

  #takeBack(): void {
    for (const { table, first, second, before } of this.#writes.toReversed()) {
      table.replace(first, second, before);
    }
    for (const [log, size] of this.#grownLogs) {
      while (log.length > size) {
        log.removeLast();
      }
    }
  }

  #trimLogs(): void {
    for (const log of this.#grownLogs.keys()) {
      log.trim();
    }
    for (const [log, most] of this.#shortenedLogs) {
      log.shorten(most);
    }
  }
}
