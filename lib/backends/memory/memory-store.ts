import { MAX_EVENTS, type StoredEvent } from '../../contract/event-log';
import {
  INDEXES,
  type EventId,
  type GroupKey,
  type IndexedRow,
  type IndexName,
  type RowKey,
  type Rows,
  type ScanRange,
  type Store,
  type TableName,
} from '../embedded/store';
import { MemoryTable, type Cell } from './memory-table';
import { OrderedIndex } from './ordered-index';

type AnyRow = Rows[TableName];

type EventLog = OrderedIndex<StoredEventFields>;

interface StoredEventFields {
  readonly id: EventId;
  readonly fields: Omit<StoredEvent, 'id'>;
}

/**
 * A store in the memory of the process.
 *
 * @internal
 */
export class MemoryStore implements Store {
  readonly #tables: Readonly<Record<TableName, MemoryTable<AnyRow>>> = {
    jobs: new MemoryTable('jobs'),
    queues: new MemoryTable('queues'),
    calls: new MemoryTable('calls'),
  };
  readonly #logs = new Map<string, EventLog>();
  /** Takes back what the present step wrote, if called from the last one to the first. */
  readonly #undo: (() => void)[] = [];
  readonly #grownLogs = new Set<EventLog>();

  transact<Result>(step: () => Result): Result {
    try {
      const result = step();
      for (const log of this.#grownLogs) {
        while (log.size > MAX_EVENTS) {
          log.removeFirst();
        }
      }
      return result;
    } catch (error) {
      for (const takeBack of this.#undo.toReversed()) {
        takeBack();
      }
      throw error;
    } finally {
      this.#undo.length = 0;
      this.#grownLogs.clear();
    }
  }

  get<Table extends TableName>(table: Table, ...[first, second = '']: RowKey): Rows[Table] | undefined {
    const row = this.#tables[table].get(first, second);
    return row === undefined ? undefined : ({ ...row } as Rows[Table]);
  }

  put<Table extends TableName>(table: Table, row: Rows[Table]): void {
    const rows = this.#tables[table];
    this.#replace(rows, rows.firstKeyOf(row), rows.secondKeyOf(row), { ...row });
  }

  delete(table: TableName, ...[first, second = '']: RowKey): void {
    this.#replace(this.#tables[table], first, second, undefined);
  }

  scan<Index extends IndexName>(index: Index, group: GroupKey, range: ScanRange): IndexedRow<Index>[] {
    const { from = -Infinity, to = Infinity, offset = 0, limit, descending = false } = range;
    const rows: IndexedRow<Index>[] = [];
    this.#group(index, group)?.read(
      { from: [from, -Infinity], to: [to, Infinity], offset, limit, descending },
      ({ row }) => rows.push({ ...row } as IndexedRow<Index>),
    );
    return rows;
  }

  count(index: IndexName, group: GroupKey): number {
    return this.#group(index, group)?.size ?? 0;
  }

  append(queue: string, id: EventId, fields: Omit<StoredEvent, 'id'>): void {
    let log = this.#logs.get(queue);
    if (log === undefined) {
      log = new OrderedIndex();
      this.#logs.set(queue, log);
    }
    log.insert(id[0], id[1], { id, fields });
    this.#grownLogs.add(log);
    this.#undo.push(() => log.remove(id[0], id[1]));
  }

  eventsAfter(queue: string, [millis, number]: EventId, limit: number): StoredEvent[] {
    const events: StoredEvent[] = [];
    const range = {
      from: [millis, number + 1],
      to: [Infinity, Infinity],
      offset: 0,
      limit,
      descending: false,
    } as const;
    this.#logs.get(queue)?.read(range, ({ id, fields }) => {
      events.push({ id: `${id[0]}-${id[1]}`, ...fields });
    });
    return events;
  }

  #replace(table: MemoryTable<AnyRow>, first: string, second: string, row: AnyRow | undefined): void {
    const before = table.replace(first, second, row);
    this.#undo.push(() => table.replace(first, second, before));
  }

  #group(name: IndexName, [first, second = '']: GroupKey): OrderedIndex<Cell<AnyRow>> | undefined {
    return this.#tables[INDEXES[name].table].group(name, first, second);
  }
}
