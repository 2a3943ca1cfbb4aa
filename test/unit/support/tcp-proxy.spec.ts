import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { TcpProxy } from '../../support/tcp-proxy';
import { waitUntil } from '../../support/wait-until';

guardAgainstLeaks();

/** Answers every chunk with the chunk in angle brackets. */
let server: Server;
let received: string;
let proxy: TcpProxy;
let clients: Client[];

/** One connection, and what it has got. */
class Client {
  text = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.text += String(chunk)));
    socket.on('error', () => {});
    socket.on('close', () => (this.isClosed = true));
  }

  static async open(): Promise<Client> {
    const client = new Client(connect(proxy.port, '127.0.0.1'));
    clients.push(client);
    await once(client.socket, 'connect');
    return client;
  }

  send(text: string): void {
    this.socket.write(text);
  }

  async gets(text: string): Promise<void> {
    await waitUntil(() => this.text === text, { reason: `"${this.text}" is "${text}"` });
  }

  async closes(): Promise<void> {
    await waitUntil(() => this.isClosed, { reason: 'the connection is closed' });
  }
}

async function serverGets(text: string): Promise<void> {
  await waitUntil(() => received === text, { reason: `the server has got "${text}"` });
}

describe('a TCP proxy', () => {
  beforeEach(async () => {
    received = '';
    clients = [];
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received += String(chunk);
        socket.write(`<${String(chunk)}>`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await TcpProxy.start((server.address() as AddressInfo).port);
  });

  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    await proxy.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  it('passes requests and replies on, and counts connections', async () => {
    const [one, two] = [await Client.open(), await Client.open()];
    one.send('a');
    await one.gets('<a>');
    two.send('b');
    await two.gets('<b>');
    expect([proxy.accepted, proxy.open]).toEqual([2, 2]);

    one.socket.end();
    await one.closes();
    await waitUntil(() => proxy.open === 1, { reason: 'the proxy has closed its side' });
    expect(proxy.accepted).toBe(2);
  });

  it('cuts before a request reaches the server', async () => {
    const [one, two] = [await Client.open(), await Client.open()];
    const cut = proxy.cutBeforeRequest();
    one.send('lost');
    await cut;
    await one.closes();
    two.send('next');
    await two.gets('<next>');

    expect(received).toBe('next');
    expect(one.text).toBe('');
  });

  it('cuts after a request reached the server, and before its reply comes back', async () => {
    const client = await Client.open();
    const cut = proxy.cutBeforeReply();
    client.send('done');
    await cut;
    await client.closes();

    expect([received, client.text]).toEqual(['done', '']);
    const again = await Client.open();
    again.send('next');
    await again.gets('<next>');
  });

  it('cuts only at a request with a given text, also one that comes in pieces', async () => {
    const client = await Client.open();
    const cut = proxy.cutBeforeRequest({ holding: 'evalsha' });
    client.send('get eva');
    await client.gets('<get eva>');
    client.send('lsha');
    await cut;
    await client.closes();

    expect(received).toBe('get eva');
  });

  it('cuts once for each order, at whichever comes', async () => {
    const cuts = [proxy.cutBeforeReply({ holding: 'one' }), proxy.cutBeforeRequest({ holding: 'two' })];
    const [first, second, third] = [await Client.open(), await Client.open(), await Client.open()];
    second.send('two');
    first.send('one');
    await Promise.all(cuts);
    await Promise.all([first.closes(), second.closes()]);
    third.send('one two');
    await third.gets('<one two>');

    expect(received).toBe('oneone two');
  });

  it('holds connections half open: accepts, passes nothing, closes nothing', async () => {
    const old = await Client.open();
    old.send('a');
    await old.gets('<a>');
    proxy.hold();
    const fresh = await Client.open();
    old.send('b');
    fresh.send('c');
    await waitUntil(() => proxy.open === 2, { reason: 'both connections are open' });
    expect(received).toBe('a');

    proxy.pass();
    await old.gets('<a><b>');
    await fresh.gets('<c>');
  });

  it('holds the connections that are open, and passes new ones', async () => {
    const old = await Client.open();
    old.send('a');
    await old.gets('<a>');
    proxy.holdOpen();
    old.send('b');
    const fresh = await Client.open();
    fresh.send('c');
    await fresh.gets('<c>');
    expect([received, old.text]).toEqual(['ac', '<a>']);

    proxy.pass();
    await old.gets('<a><b>');
  });

  it('holds replies and delivers them late, in order', async () => {
    const client = await Client.open();
    proxy.holdReplies();
    client.send('a');
    await serverGets('a');
    client.send('b');
    await serverGets('ab');
    expect(client.text).toBe('');

    proxy.pass();
    await client.gets('<a><b>');
  });

  it('closes every connection at once', async () => {
    const [one, two] = [await Client.open(), await Client.open()];
    await waitUntil(() => proxy.open === 2, { reason: 'both are accepted' });
    proxy.cutAll();
    await Promise.all([one.closes(), two.closes()]);

    expect(proxy.open).toBe(0);
  });

  it('refuses connections, and accepts them again on the same port', async () => {
    const { port } = proxy;
    const old = await Client.open();
    await proxy.refuse();
    await old.closes();
    await expect(Client.open()).rejects.toThrow('ECONNREFUSED');
    await proxy.accept();

    expect(proxy.port).toBe(port);
    const client = await Client.open();
    client.send('a');
    await client.gets('<a>');
  });

  it('closes the connections of a server that went away', async () => {
    const client = await Client.open();
    client.send('a');
    await client.gets('<a>');
    const sockets = once(server, 'connection') as Promise<[Socket]>;
    const other = await Client.open();
    const [socket] = await sockets;
    socket.destroy();
    await other.closes();

    expect(client.isClosed).toBe(false);
  });
});
