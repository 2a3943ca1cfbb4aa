import { Observable, Subject, type Subscriber, takeUntil } from 'rxjs';

import { MAX_BATCH } from '../contract/mutating-call';
import { IngestOverflowError } from '../model/errors/ingest-overflow.error';
import { InvalidSourceError } from '../model/errors/invalid-source.error';
import { InvalidStreamOptionError } from '../model/errors/invalid-stream-option.error';
import { checkFlag } from '../model/flag';
import { refuseUnknownOptions } from '../model/option-names';
import { checkEntry } from './queue-arguments';
import { nextTurn } from './runtime/next-turn';
import { Ring } from './runtime/ring';
import { asError } from './runtime/safe-emitter';
import { unlessAborted } from './runtime/wait';

/**
 * Where `ingest` reads. Of an Observable that can be iterated too, such as `queue.events(from)`, it does the latter.
 *
 * @public
 */
export type IngestSource<Entry> = Observable<Entry> | AsyncIterable<Entry> | Iterable<Entry>;

/**
 * How `ingest` goes about it.
 *
 * @public
 */
export interface IngestOptions {
  /** Ends at the first entry that cannot be added, with its error, when all before it are stored. Default `false`. */
  strict?: boolean;
  /** Most bulk adds under way at once; at least 1. Default 4. */
  concurrency?: number;
  /** Most entries of an Observable that wait while the adds are full; at least 1. Default 10,000. */
  buffer?: number;
  /** Ends the reading: the stream errors with the reason of the signal. Adds that are under way are still carried out. */
  signal?: AbortSignal;
}

/**
 * An entry that could not be added.
 *
 * @public
 */
export interface IngestRefusal<Entry = unknown> {
  /** As the source gave it. */
  readonly entry: Entry;
  /** What `add` would have thrown. */
  readonly error: Error;
}

/**
 * How far an `ingest` has come.
 *
 * @public
 */
export interface IngestProgress<AddedJob = unknown, Entry = unknown> {
  /** Jobs of the bulk add that this tells of, as `addBulk` returns them. */
  readonly jobs: readonly AddedJob[];
  /** Entries that came with them and could not be added. */
  readonly refusals: readonly IngestRefusal<Entry>[];
  /** Jobs so far, those included whose id was stored already. */
  readonly added: number;
  /** Entries so far that could not be added. */
  readonly refused: number;
  /** Whether this is the last value: the source has ended, and all of it is stored or refused. */
  readonly isDone: boolean;
}

/**
 * Options of an ingest, with what they are when left out.
 *
 * @internal
 */
export type IngestTerms = Required<Omit<IngestOptions, 'signal'>> & Pick<IngestOptions, 'signal'>;

/**
 * What adds the entries.
 *
 * @internal
 */
export interface IngestTarget<Entry, Prepared, AddedJob> {
  /** Checks an entry and makes of it what is stored; throws what `add` throws. */
  prepare(entry: Entry): Prepared | Promise<Prepared>;
  /** Stores them, in the order of the calls. */
  addAll(jobs: readonly Prepared[]): Promise<AddedJob[]>;
}

/**
 * Checks what `ingest` is given.
 *
 * @throws InvalidSourceError, UnknownOptionError, InvalidOptionsError, InvalidFlagError or InvalidStreamOptionError
 *
 * @internal
 */
export function checkIngest(source: unknown, options: IngestOptions): IngestTerms {
  if (typeof source !== 'object' || source === null || !(isIterable(source) || isSubscribable(source))) {
    throw new InvalidSourceError(source);
  }
  refuseUnknownOptions('ingest', options, ['strict', 'concurrency', 'buffer', 'signal']);
  const { strict = false, concurrency = 4, buffer = 10_000, signal } = options;
  return {
    strict: checkFlag('strict', strict),
    concurrency: checkCount('concurrency', concurrency),
    buffer: checkCount('buffer', buffer),
    signal,
  };
}

/**
 * An ingest that is under way.
 *
 * @internal
 */
export interface Ingest {
  /** Reads no more; resolves when what is under way has ended and the stream is complete. */
  end(): Promise<void>;
}

/**
 * Begins an ingest.
 *
 * @param running - has it as long as it is under way
 * @returns ends it
 *
 * @internal
 */
export function ingest<Entry, Prepared, AddedJob>(
  source: IngestSource<Entry>,
  terms: IngestTerms,
  target: IngestTarget<Entry, Prepared, AddedJob>,
  subscriber: Subscriber<IngestProgress<AddedJob, Entry>>,
  running: Set<Ingest>,
): () => void {
  const run = new IngestRun(terms, target, subscriber);
  running.add(run);
  void run.start(source).then(() => running.delete(run));
  return () => void run.end();
}

/** How the stream ends. */
type End = { readonly error: unknown } | { readonly isDone: boolean };

/** Reads a source while there is room, and adds what has come in bulk: two loops that wake each other. */
class IngestRun<Entry, Prepared, AddedJob> implements Ingest {
  readonly #waiting = new Ring<Entry>();
  readonly #cutOff = new AbortController();
  #sleepers: (() => void)[] = [];
  #end: End | undefined;
  #leaveSource: () => void = () => undefined;
  #ended: Promise<void> | undefined;
  /** Bulk adds under way. */
  #open = 0;
  /** That all adds before have been told. */
  #told: Promise<void> = Promise.resolve();
  #added = 0;
  #refused = 0;

  constructor(
    private readonly terms: IngestTerms,
    private readonly target: IngestTarget<Entry, Prepared, AddedJob>,
    private readonly subscriber: Subscriber<IngestProgress<AddedJob, Entry>>,
  ) {}

  start(source: IngestSource<Entry>): Promise<void> {
    this.#ended = this.#run(source);
    return this.#ended;
  }

  async end(): Promise<void> {
    this.#cut({ isDone: false });
    await this.#ended;
  }

  /** Never rejects. */
  async #run(source: IngestSource<Entry>): Promise<void> {
    const { signal, concurrency } = this.terms;
    const onAbort = (): void => this.#cut({ error: signal!.reason });
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) {
      onAbort();
    } else {
      this.#read(source);
    }
    while (await this.#hasEntries()) {
      await this.#until(() => this.#open < concurrency);
      // What comes in one turn goes together.
      await new Promise<void>(nextTurn);
      const entries = this.#waiting.take(MAX_BATCH);
      this.#wake();
      await this.#send(entries);
    }
    signal?.removeEventListener('abort', onAbort);
    await this.#conclude();
  }

  #read(source: IngestSource<Entry>): void {
    if (isIterable(source)) {
      void this.#pull(source).then(
        () => this.#sourceEnds({ isDone: true }),
        (error: unknown) => this.#sourceEnds({ error }),
      );
    } else {
      this.#listen(source);
    }
  }

  async #pull(source: AsyncIterable<Entry> | Iterable<Entry>): Promise<void> {
    const iterator =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#leaveSource = () => void leave(iterator);
    for (;;) {
      await this.#until(() => this.#waiting.length < MAX_BATCH);
      if (this.#isCut) {
        return;
      }
      const next = await iterator.next();
      if (next.done === true) {
        return;
      }
      this.#take(next.value);
    }
  }

  #listen(source: Observable<Entry>): void {
    const left = new Subject<void>();
    this.#leaveSource = () => left.next();
    // Whatever copy of rxjs it comes from, and whatever its subscribe() throws.
    new Observable<Entry>((entries) => source.subscribe(entries)).pipe(takeUntil(left)).subscribe({
      next: (entry) => {
        if (this.#waiting.length === this.terms.buffer) {
          this.#sourceEnds({ error: new IngestOverflowError(this.terms.buffer) });
          left.next();
        } else {
          this.#take(entry);
        }
      },
      error: (error: unknown) => this.#sourceEnds({ error }),
      complete: () => this.#sourceEnds({ isDone: true }),
    });
  }

  #take(entry: Entry): void {
    if (!this.#isCut) {
      this.#waiting.push(entry);
      this.#wake();
    }
  }

  /** There will be no more entries; those that wait are added before the stream ends. */
  #sourceEnds(end: End): void {
    this.#end ??= end;
    this.#wake();
  }

  /** Nothing more is read or added. */
  #cut(end: End): void {
    if (!this.#isCut) {
      this.#end = end;
      this.#waiting.clear();
      this.#cutOff.abort();
      this.#leaveSource();
      this.#wake();
    }
  }

  get #isCut(): boolean {
    return this.#cutOff.signal.aborted;
  }

  async #hasEntries(): Promise<boolean> {
    await this.#until(() => this.#waiting.length > 0 || this.#end !== undefined);
    return this.#waiting.length > 0;
  }

  async #send(entries: readonly Entry[]): Promise<void> {
    const all = Promise.all(entries.map((entry) => this.#check(entry)));
    // A schema that takes its time holds up no close.
    const checked = await unlessAborted(all, this.#cutOff.signal).catch(() => undefined);
    if (checked === undefined || this.#isCut) {
      return;
    }
    const refusals = checked.filter((one) => 'error' in one);
    const [first] = this.terms.strict ? refusals : [];
    const kept = first === undefined ? checked : checked.slice(0, checked.indexOf(first));
    this.#add(
      kept.flatMap((one) => ('prepared' in one ? [one.prepared] : [])),
      first === undefined ? refusals : [],
    );
    if (first !== undefined) {
      this.#cut({ error: first.error });
    }
  }

  async #check(entry: Entry): Promise<{ prepared: Prepared } | IngestRefusal<Entry>> {
    try {
      checkEntry(entry);
      return { prepared: await this.target.prepare(entry) };
    } catch (error) {
      return { entry, error: asError(error) };
    }
  }

  #add(prepared: readonly Prepared[], refusals: readonly IngestRefusal<Entry>[]): void {
    const adding = this.target.addAll(prepared);
    this.#open += 1;
    void adding
      .then(
        () => undefined,
        (error: unknown) => this.#cut({ error }),
      )
      .then(() => {
        this.#open -= 1;
        this.#wake();
      });
    const before = this.#told;
    this.#told = (async () => {
      await before;
      this.#tell(await adding, refusals);
    })();
    // Looked at when all have ended.
    this.#told.catch(() => undefined);
  }

  #tell(jobs: readonly AddedJob[], refusals: readonly IngestRefusal<Entry>[], isDone = false): void {
    this.#added += jobs.length;
    this.#refused += refusals.length;
    const { subscriber } = this;
    subscriber.next({ jobs, refusals, added: this.#added, refused: this.#refused, isDone });
  }

  async #conclude(): Promise<void> {
    const end = this.#end!;
    try {
      await this.#told;
      if ('error' in end) {
        throw end.error;
      }
      if (end.isDone) {
        this.#tell([], [], true);
      }
      this.subscriber.complete();
    } catch (error) {
      this.subscriber.error(error);
    }
  }

  /** Waits until something holds, or it is cut off. */
  async #until(condition: () => boolean): Promise<void> {
    while (!this.#isCut && !condition()) {
      await new Promise<void>((resolve) => this.#sleepers.push(resolve));
    }
  }

  #wake(): void {
    this.#sleepers.splice(0).forEach((resolve) => resolve());
  }
}

/** Tells an iterator that no more of it is wanted; what it makes of that is its own matter. */
async function leave(iterator: AsyncIterator<unknown> | Iterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Nobody is left to tell.
  }
}

function isIterable<Entry>(
  source: IngestSource<Entry> | object,
): source is AsyncIterable<Entry> | Iterable<Entry> {
  return Symbol.asyncIterator in source || Symbol.iterator in source;
}

function isSubscribable(source: object): boolean {
  return 'subscribe' in source && typeof source.subscribe === 'function';
}

function checkCount(option: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new InvalidStreamOptionError(option, value, 'an integer of at least 1', 'Correct the value.');
  }
  return value as number;
}
