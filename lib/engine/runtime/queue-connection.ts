import type { Clock } from '../../contract/clock';
import { systemClock } from '../../contract/clock';
import { CHANNELS } from '../../contract/mutating-call';
import type { HandleRole, LaneBackend, QueueBackend } from '../../contract/queue-backend';
import { backendFromUrl } from '../../backends/from-url';
import { InvalidBackendError } from '../../model/errors/invalid-backend.error';
import { QueueClosedError } from '../../model/errors/queue-closed.error';
import { CallChannel, ChannelPool } from './call-channel';
import { StoreTime } from './store-time';

/**
 * What every engine class needs to reach its queue.
 *
 * @public
 */
export interface ConnectionOptions {
  /** Where the queue is stored: a value made by `redis()`, `memory()` and the like, or a URL such as `memory:`. */
  backend: LaneBackend | string;
  /** Time source, for tests. Default: the machine's clock. */
  clock?: Clock;
}

/**
 * Names of the connection options, for checks of options that contain them.
 *
 * @internal
 */
export const CONNECTION_OPTION_NAMES: readonly (keyof ConnectionOptions)[] = ['backend', 'clock'];

/**
 * An open handle with its numbered channels.
 *
 * @internal
 */
export interface OpenConnection {
  readonly backend: QueueBackend;
  readonly time: StoreTime;
  readonly add: ChannelPool;
  readonly work: readonly CallChannel[];
  readonly control: ChannelPool;
}

/**
 * One engine object's handle on its queue: opened at once for a backend value, after loading the backend for a URL.
 *
 * @internal
 */
export class QueueConnection {
  readonly clock: Clock;
  #open: OpenConnection | undefined;
  #isServer = false;
  #opening: Promise<OpenConnection> | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param description - the owner, such as `Queue "email"`, for errors
   * @param workerName - name of the worker that opens it, if it has one
   * @throws InvalidBackendError when the backend is neither a value nor a text
   */
  constructor(
    readonly queueName: string,
    readonly description: string,
    role: HandleRole,
    options: ConnectionOptions,
    private readonly workerName: string | null = null,
  ) {
    const { backend, clock = systemClock } = options;
    this.clock = clock;
    if (typeof backend === 'string') {
      this.#opening = backendFromUrl(backend).then((loaded) => (this.#open = this.#connect(loaded, role)));
      // Whoever uses the connection meets the error; a connection that nobody uses must not end the process.
      this.#opening.catch(() => undefined);
    } else if (isBackend(backend)) {
      this.#open = this.#connect(backend, role);
    } else {
      throw new InvalidBackendError(description, backend);
    }
  }

  /** The open handle, or `undefined` while its backend is still being loaded. */
  get opened(): OpenConnection | undefined {
    return this.#open;
  }

  /** Whether the store is known to work beside this process, not in it. */
  get isServer(): boolean {
    return this.#isServer;
  }

  /** Whether `close` was called. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * The open handle.
   *
   * @param call - what it is wanted for, for the error
   * @throws QueueClosedError after `close`
   */
  async use(call: string): Promise<OpenConnection> {
    this.refuseWhenClosed(call);
    const open = this.#open ?? (await this.#opening!);
    this.refuseWhenClosed(call);
    return open;
  }

  /** Throws QueueClosedError after `close`. */
  refuseWhenClosed(call: string): void {
    if (this.#closing !== undefined) {
      throw new QueueClosedError(this.description, call);
    }
  }

  /** Frees the handle. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const open = this.#open ?? (await this.#opening!.catch(() => undefined));
    await open?.backend.close();
  }

  #connect(backend: LaneBackend, role: HandleRole): OpenConnection {
    const handle = backend.openQueue({
      queueName: this.queueName,
      role,
      ...(this.workerName !== null && { workerName: this.workerName }),
    });
    this.#isServer = backend.capabilities.server;
    const time = new StoreTime(handle, this.clock);
    const channel = (name: string): CallChannel => new CallChannel(handle, name, time, this.clock);
    return {
      backend: handle,
      time,
      add: new ChannelPool(CHANNELS.add.map(channel), this.clock),
      work: CHANNELS.work.map(channel),
      control: new ChannelPool(CHANNELS.control.map(channel), this.clock),
    };
  }
}

function isBackend(value: unknown): value is LaneBackend {
  return typeof (value as Partial<LaneBackend> | null | undefined)?.openQueue === 'function';
}
