import {
  ConnectionLostError,
  type LaneBackend,
  type OpenQueueRequest,
  type OperationName,
  type QueueBackend,
} from 'nestjs-lane/contract';

/**
 * How a call goes wrong: its request never arrives, its reply gets lost after it ran, or it takes until `release`.
 */
export type Fault = 'lose-request' | 'lose-reply' | 'hold';

interface PlannedFault {
  readonly operation: OperationName;
  readonly fault: Fault;
  left: number;
}

/** A backend whose chosen calls fail the way calls over a network do. */
export class FailingBackend implements LaneBackend {
  readonly kind: string;
  readonly capabilities: LaneBackend['capabilities'];
  readonly #faults: PlannedFault[] = [];
  readonly #held: (() => void)[] = [];
  readonly #calls = new Map<OperationName, number>();

  #opened = 0;

  /** @param capabilities - those that it has by its own account; default: those of the inner one */
  constructor(
    private readonly inner: LaneBackend,
    capabilities = inner.capabilities,
  ) {
    this.kind = inner.kind;
    this.capabilities = capabilities;
  }

  /** Handles that were opened and not closed. */
  get openHandles(): number {
    return this.#opened - this.callsOf('close');
  }

  /** The next `times` calls of that operation go wrong. */
  plan(operation: OperationName, fault: Fault, times = 1): void {
    this.#faults.push({ operation, fault, left: times });
  }

  /** Calls that come from now on do not go wrong. */
  heal(): void {
    this.#faults.length = 0;
  }

  /** Lets held calls through. */
  release(): void {
    this.#held.splice(0).forEach((go) => go());
  }

  /** How often an operation was called, faults included. */
  callsOf(operation: OperationName): number {
    return this.#calls.get(operation) ?? 0;
  }

  /** Calls that are held. */
  get heldCalls(): number {
    return this.#held.length;
  }

  openQueue(request: OpenQueueRequest): QueueBackend {
    this.#opened += 1;
    return new Proxy(this.inner.openQueue(request), {
      get: (handle, property) => {
        const value: unknown = Reflect.get(handle, property, handle);
        if (typeof value !== 'function') {
          return value;
        }
        return (...args: unknown[]) =>
          this.#call(property as OperationName, () => value.apply(handle, args) as Promise<unknown>);
      },
    });
  }

  async #call(operation: OperationName, run: () => Promise<unknown>): Promise<unknown> {
    this.#calls.set(operation, this.callsOf(operation) + 1);
    const planned = this.#faults.find((each) => each.operation === operation && each.left > 0);
    if (planned === undefined) {
      return run();
    }
    planned.left -= 1;
    switch (planned.fault) {
      case 'lose-request':
        throw new ConnectionLostError('The store', false);
      case 'lose-reply':
        await run();
        throw new ConnectionLostError('The store', true);
      case 'hold':
        await new Promise<void>((go) => this.#held.push(go));
        return run();
    }
  }
}
