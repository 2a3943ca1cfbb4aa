import type { LaneBackend, OpenQueueRequest, OperationName, QueueBackend } from 'nestjs-lane/contract';

type Operation = (...args: unknown[]) => unknown;

/** A backend some of whose operations are answered by the test, which may ask the real ones. */
export class AlteredBackend implements LaneBackend {
  readonly kind: string;
  readonly capabilities: LaneBackend['capabilities'];
  readonly #alterations = new Map<OperationName, (real: Operation) => Operation>();

  constructor(private readonly inner: LaneBackend) {
    this.kind = inner.kind;
    this.capabilities = inner.capabilities;
  }

  /** From now on calls of that operation are answered by what the function makes of the real one. */
  alter<Name extends OperationName>(
    operation: Name,
    alteration: (real: QueueBackend[Name]) => QueueBackend[Name],
  ): void {
    this.#alterations.set(operation, alteration as unknown as (real: Operation) => Operation);
  }

  openQueue(request: OpenQueueRequest): QueueBackend {
    return new Proxy(this.inner.openQueue(request), {
      get: (handle, property) => {
        const value: unknown = Reflect.get(handle, property, handle);
        if (typeof value !== 'function') {
          return value;
        }
        const real: Operation = (...args) => Reflect.apply(value, handle, args) as unknown;
        return (...args: unknown[]) =>
          (this.#alterations.get(property as OperationName)?.(real) ?? real)(...args);
      },
    });
  }
}
