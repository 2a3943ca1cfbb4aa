import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What the fake answers: simple text, a text of several lines, an error, or texts. */
export type FakeAnswer = { ok: string } | { text: string } | { error: string } | { list: readonly string[] };

/** What tells one fake from another. */
export interface FakeServerTraits {
  /** Answer to `INFO`. */
  info: string;
  /** Answer to `HELLO`. Default: that it is well. */
  hello?: FakeAnswer;
  /** Milliseconds that its clock is ahead of this host's. Default 0. */
  ahead?: number;
}

/** Speaks the protocol of Redis and stores nothing, for what a real server of the machine is not. */
export class FakeRedisServer {
  readonly #sockets = new Set<Socket>();
  /** The commands that came, with their arguments. */
  readonly commands: string[][] = [];

  private constructor(
    private readonly server: Server,
    private readonly traits: FakeServerTraits,
  ) {
    server.on('connection', (socket) => this.#serve(socket));
  }

  static async start(traits: FakeServerTraits): Promise<FakeRedisServer> {
    const fake = new FakeRedisServer(createServer(), traits);
    fake.server.listen(0, '127.0.0.1');
    await once(fake.server, 'listening');
    return fake;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.#sockets.forEach((socket) => socket.destroy());
    await closed;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let unread = '';
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      unread += chunk.toString('latin1');
      for (let command = readCommand(unread); command !== undefined; command = readCommand(unread)) {
        unread = unread.slice(command.length);
        const [name = ''] = command.words;
        this.commands.push(command.words);
        socket.write(encode(this.#answerTo(name.toLowerCase())));
      }
    });
  }

  #answerTo(command: string): FakeAnswer {
    const { info, hello = { ok: 'OK' }, ahead = 0 } = this.traits;
    switch (command) {
      case 'hello':
        return hello;
      case 'info':
        return { text: info };
      case 'eval':
        return { list: [] };
      case 'time':
        return { list: [String(Math.floor((Date.now() + ahead) / 1_000)), '0'] };
      default:
        return { ok: 'OK' };
    }
  }
}

/** The first command of what came, an array of texts, if all of it came. */
function readCommand(text: string): { words: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return undefined;
  const words: string[] = [];
  let at = head[0].length;
  while (words.length < Number(head[1])) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at));
    if (size === null) return undefined;
    const start = at + size[0].length;
    at = start + Number(size[1]) + 2;
    if (text.length < at) return undefined;
    words.push(text.slice(start, at - 2));
  }
  return { words, length: at };
}

function encode(answer: FakeAnswer): string {
  if ('ok' in answer) return `+${answer.ok}\r\n`;
  if ('error' in answer) return `-${answer.error}\r\n`;
  if ('list' in answer) return `*${answer.list.length}\r\n${answer.list.map(encodeText).join('')}`;
  return encodeText(answer.text);
}

function encodeText(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}
