import { Redis, type Command } from 'ioredis';

import { turnOfTheEventLoop } from '../manual-clock';

const blocking = new Set(['blmove', 'blmpop', 'blpop', 'brpop', 'bzmpop', 'bzpopmax', 'bzpopmin', 'wait']);

/** Milliseconds in which traffic has to come to rest. */
const longestWait = 8_000;

/** Turns of the event loop in which what got a reply asks for more, if it does. */
const turns = 3;

/** Sees every command that this process sends by ioredis, to tell when all that can be answered has been. */
export class RedisTraffic {
  readonly #inFlight = new Map<Command, string>();
  readonly #clients = new Set<Redis>();
  /** Commands sent and replies received so far, those of blocking commands too. */
  #activity = 0;
  #onReply = (): void => {};

  private constructor(
    private readonly observer: Redis,
    /** Looks no more. */
    readonly unwatch: () => void,
  ) {}

  /**
   * @param observer - a client whose own commands do not count; asks the server whether it has come to rest
   */
  static watch(observer: Redis): RedisTraffic {
    const { prototype } = Redis;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its client below
    const { connect, sendCommand } = prototype;
    const traffic = new RedisTraffic(observer, () => Object.assign(prototype, { connect, sendCommand }));
    prototype.connect = function (this: Redis, ...args) {
      traffic.#see(this);
      return connect.apply(this, args);
    };
    prototype.sendCommand = function (this: Redis, command, ...rest) {
      traffic.#sent(this, command);
      return sendCommand.call(this, command, ...rest);
    };
    return traffic;
  }

  /**
   * Waits until every command has its reply but those that block until there is something for them, and there is
   * nothing; and until nobody has sent more.
   */
  async atRest(): Promise<void> {
    const deadline = performance.now() + longestWait;
    for (;;) {
      await this.#turns();
      const underWay = this.#underWay();
      if (underWay.length === 0) {
        const before = this.#activity;
        // What the server wrote to woken clients before the second answer has arrived by then. Not so with the first: a
        // blocking command that was sent just before may be looked at after it in the same round, and be answered with
        // it, in any order.
        await this.observer.ping();
        await this.observer.ping();
        await this.#turns();
        if (this.#activity === before && this.#underWay().length === 0) return;
      }
      // Meanwhile the processor is the server's.
      if (this.#inFlight.size > 0) await this.#reply(deadline - performance.now());
      if (performance.now() > deadline) {
        throw new Error(
          `Redis traffic did not come to rest within ${longestWait} ms: ` +
            `${underWay.join(', ') || 'there were new commands all the time'}.`,
        );
      }
    }
  }

  /** Waits for the next reply, for so many milliseconds at most. */
  async #reply(millis: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, millis));
      this.#onReply = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #underWay(): string[] {
    const connecting = [...this.#clients]
      .filter(({ status }) => status === 'connecting' || status === 'connect' || status === 'reconnecting')
      .map(({ status }) => `a client in status "${status}"`);
    return [...this.#inFlight.values(), ...connecting];
  }

  #see(client: Redis): void {
    if (client === this.observer || this.#clients.has(client)) return;
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
  }

  #sent(client: Redis, command: Command): void {
    if (client === this.observer) return;
    this.#see(client);
    // One that had to wait for the connection is sent twice.
    if (this.#inFlight.has(command)) return;
    this.#activity += 1;
    if (!blocks(command)) this.#inFlight.set(command, command.name);
    const settled = () => {
      this.#activity += 1;
      this.#inFlight.delete(command);
      this.#onReply();
    };
    (command.promise as Promise<unknown>).then(settled, settled);
  }

  async #turns(): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await turnOfTheEventLoop();
  }
}

function blocks({ name, args }: Command): boolean {
  const lower = name.toLowerCase();
  return (
    blocking.has(lower) ||
    (lower.startsWith('xread') && args.some((argument) => String(argument).toLowerCase() === 'block'))
  );
}
