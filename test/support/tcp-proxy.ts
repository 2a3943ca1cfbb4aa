import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { loopbackPorts } from './loopback-ports.mjs';

/** Which request an order is for. */
export interface CutOptions {
  /** The request holds this text; default: any request. */
  holding?: string;
}

/** What happens to a request that a cut is ordered for. */
type Cut = 'before-request' | 'before-reply';

interface PlannedCut {
  readonly cut: Cut;
  readonly text: Buffer;
  readonly done: () => void;
}

/** Two ends of a connection through the proxy. */
interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** The next bytes from the server are the reply that gets lost. */
  losesReply: PlannedCut | undefined;
  readonly heldReplies: Buffer[];
  /** What the client has sent so late that a text it holds may go on in the next chunk. */
  tail: Buffer;
}

const attempts = 20;

/**
 * Stands between a client and a server, and does to connections what networks do. Tells requests and replies apart by
 * who sends them, and knows nothing else about them.
 *
 * A client that sends several requests at once has them cut off together.
 */
export class TcpProxy {
  readonly #links = new Set<Link>();
  readonly #server: Server;
  #cuts: PlannedCut[] = [];
  #port = 0;
  #accepted = 0;
  #isHolding = false;
  #holdsReplies = false;

  private constructor(
    private readonly targetPort: number,
    private readonly targetHost: string,
  ) {
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) =>
      this.#link(client),
    );
  }

  /**
   * Starts a proxy that passes everything on.
   *
   * @param port - of the server
   */
  static async start(port: number, host = '127.0.0.1'): Promise<TcpProxy> {
    const proxy = new TcpProxy(port, host);
    for (const own of loopbackPorts(attempts)) {
      if (await proxy.#listen(own)) return proxy;
    }
    throw new Error(`The proxy did not start: ${attempts} ports in a row were taken.`);
  }

  /** Where clients connect. */
  get port(): number {
    return this.#port;
  }

  /** Connections that were accepted so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#links.size;
  }

  /** Closes the connection of the next such request instead of passing it on. Resolves when that has happened. */
  cutBeforeRequest(options?: CutOptions): Promise<void> {
    return this.#plan('before-request', options);
  }

  /**
   * Passes the next such request on and closes its connection instead of passing the reply on. Resolves when that has
   * happened.
   */
  cutBeforeReply(options?: CutOptions): Promise<void> {
    return this.#plan('before-reply', options);
  }

  /** Closes every connection now. New ones are accepted. */
  cutAll(): void {
    for (const link of this.#links) this.#drop(link);
  }

  /** Accepts connections and keeps them, but passes nothing on in either direction until `pass`. */
  hold(): void {
    this.#isHolding = true;
    this.holdOpen();
  }

  /** As `hold`, but for the connections that are open now alone: a new one works. */
  holdOpen(): void {
    for (const { client, server } of this.#links) {
      client.pause();
      server.pause();
    }
  }

  /** Passes requests on, and keeps the replies until `pass`. */
  holdReplies(): void {
    this.#holdsReplies = true;
  }

  /** Passes everything on again, first what was kept. Cuts that are planned stay so. */
  pass(): void {
    this.#isHolding = this.#holdsReplies = false;
    for (const link of this.#links) {
      for (const reply of link.heldReplies.splice(0)) link.client.write(reply);
      link.client.resume();
      link.server.resume();
    }
  }

  /** Closes every connection, and refuses new ones until `accept`. */
  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cutAll();
    await closed;
  }

  /** Accepts connections again, on the same port. */
  async accept(): Promise<void> {
    if (!(await this.#listen(this.#port))) throw new Error(`Port ${this.#port} was taken meanwhile.`);
  }

  /** Closes every connection, and the proxy. */
  async stop(): Promise<void> {
    if (this.#server.listening) await this.refuse();
    this.cutAll();
  }

  async #listen(port: number): Promise<boolean> {
    this.#server.listen(port, '127.0.0.1');
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
      throw error;
    }
    this.#port = (this.#server.address() as AddressInfo).port;
    return true;
  }

  #plan(cut: Cut, { holding = '' }: CutOptions = {}): Promise<void> {
    return new Promise((done) => this.#cuts.push({ cut, text: Buffer.from(holding), done }));
  }

  #link(client: Socket): void {
    this.#accepted += 1;
    const server = connect({ port: this.targetPort, host: this.targetHost, allowHalfOpen: true });
    const link: Link = { client, server, losesReply: undefined, heldReplies: [], tail: Buffer.alloc(0) };
    this.#links.add(link);
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on('data', (chunk) => this.#request(link, chunk));
    server.on('data', (chunk) => this.#reply(link, chunk));
    client.on('end', () => server.end());
    server.on('end', () => client.end());
    for (const socket of [client, server]) {
      // A side that fails closes, and the other one with it.
      socket.on('error', () => {});
      socket.on('close', () => this.#drop(link));
    }
    if (this.#isHolding) {
      client.pause();
      server.pause();
    } else {
      client.resume();
    }
  }

  #request(link: Link, chunk: Buffer): void {
    const text = Buffer.concat([link.tail, chunk]);
    const planned = this.#cuts.find((each) => text.includes(each.text));
    const longest = Math.max(0, ...this.#cuts.map((each) => each.text.length - 1));
    link.tail = Buffer.from(longest === 0 ? [] : text.subarray(-longest));
    if (planned !== undefined) {
      this.#cuts = this.#cuts.filter((each) => each !== planned);
      link.tail = Buffer.alloc(0);
    }
    if (planned?.cut === 'before-request') {
      this.#drop(link);
      planned.done();
      return;
    }
    link.losesReply ??= planned;
    link.server.write(chunk);
  }

  #reply(link: Link, chunk: Buffer): void {
    if (link.losesReply !== undefined) {
      this.#drop(link);
      link.losesReply.done();
    } else if (this.#holdsReplies) {
      link.heldReplies.push(chunk);
    } else {
      link.client.write(chunk);
    }
  }

  #drop(link: Link): void {
    this.#links.delete(link);
    link.client.destroy();
    link.server.destroy();
  }
}
