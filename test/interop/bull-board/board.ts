import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { JobOptions, Queue } from 'nestjs-lane/engine';

/** What a route answered. */
export interface BoardAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** As much of a job as the specs look at. */
export interface BoardJob {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly opts: JobOptions;
}

/** As much of a queue as the specs look at. */
export interface BoardQueue {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly jobs: readonly BoardJob[];
  readonly pagination: { readonly pageCount: number };
  readonly isPaused: boolean;
  readonly globalConcurrency: number | null;
  readonly activeRateLimitTtl: number;
  readonly hasWorkers: boolean | null;
  readonly jobSchedulerCount: number;
}

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH';

/** A board over HTTP, as an application mounts it, which checks its own answers against its schemas. */
export class Board {
  private constructor(private readonly server: Server) {}

  static async open(queues: readonly Queue[], options: { readOnlyMode?: boolean } = {}): Promise<Board> {
    const serverAdapter = new ExpressAdapter();
    createBullBoard({
      queues: queues.map((queue) => new BullMQAdapter(queue as never, options)),
      serverAdapter,
      options: { validateResponses: true, uiConfig: {} },
    });
    const server = createServer(serverAdapter.getRouter() as RequestListener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Board(server);
  }

  get<Body>(path: string): Promise<BoardAnswer<Body>> {
    return this.#ask('GET', path);
  }

  put<Body>(path: string, body: object = {}): Promise<BoardAnswer<Body>> {
    return this.#ask('PUT', path, body);
  }

  post<Body>(path: string, body: object): Promise<BoardAnswer<Body>> {
    return this.#ask('POST', path, body);
  }

  patch<Body>(path: string, body: object): Promise<BoardAnswer<Body>> {
    return this.#ask('PATCH', path, body);
  }

  /** The page itself. */
  async page(): Promise<string> {
    return (await fetch(`${this.#url}/`, { headers: { connection: 'close' } })).text();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async #ask<Body>(method: Method, path: string, body?: object): Promise<BoardAnswer<Body>> {
    const response = await fetch(`${this.#url}/api/${path}`, {
      method,
      headers: { connection: 'close', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }
}
