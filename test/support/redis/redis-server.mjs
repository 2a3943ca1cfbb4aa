// A Redis server of one's own, for specs and for scripts without a build.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loopbackPorts } from '../loopback-ports.mjs';
import { requireServer } from './find-server.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {boolean} [appendonly] writes every change to disk before it answers, so that `restart` keeps them;
 *   default: nothing is written
 * @property {readonly string[]} [config] more lines for the server's configuration file
 * @property {number} [sentinelOf] makes the server a Sentinel, which watches the one on this port under the name `main`
 */

/**
 * @typedef {object} ServerProcess
 * @property {number} pid
 * @property {import('node:child_process').ChildProcess} shell ends when the server has ended
 * @property {Promise<void>} ended
 */

/** Milliseconds in which a server has to answer, or to end when it is asked to. */
const longestStart = 10_000;
const longestStop = 5_000;

/** A port that was free may be taken by the time the server wants it. */
const attempts = 20;

class PortTaken extends Error {}

/**
 * A server on a loopback port, with a folder of its own. It ends with the process that started it, also when that one
 * is killed, and does not keep it alive.
 */
export class RedisServer {
  #options;
  #folder = mkdtempSync(join(tmpdir(), 'lane-redis-'));
  #port = 0;
  #isPaused = false;
  /** @type {ServerProcess | undefined} */
  #process;

  /** @param {ServerOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * @param {ServerOptions} [options]
   * @throws when there is no server on the PATH, or when it does not start; the message then has what it logged
   */
  static async start(options = {}) {
    requireServer();
    const server = new RedisServer(options);
    try {
      await server.#startOnFreePort();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get port() {
    return this.#port;
  }

  get url() {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Of the server's own process; undefined while it does not run. */
  get pid() {
    return this.#process?.pid;
  }

  /** What is in it is gone with `stop`. */
  get folder() {
    return this.#folder;
  }

  /** What the server logged since its start, restarts included. */
  log() {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  /** Freezes the server: connections stay, and nothing is answered until `resume`. */
  pause() {
    this.#signal('SIGSTOP');
    this.#isPaused = true;
  }

  resume() {
    this.#signal('SIGCONT');
    this.#isPaused = false;
  }

  /** Ends the server at once, as a crash does. */
  async kill() {
    this.#signal('SIGKILL');
    await this.#ended();
  }

  /** Ends the server in good order. Its folder stays, for `restart`. */
  async shutDown() {
    if (this.#process === undefined) return;
    if (this.#isPaused) this.resume();
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), longestStop);
    await this.#ended();
    clearTimeout(timer);
  }

  /** Ends the server, if it runs, and starts one on the same port and folder. */
  async restart() {
    await this.shutDown();
    await this.#start();
  }

  /** Ends the server and removes its folder. */
  async stop() {
    await this.shutDown();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startOnFreePort() {
    for (const port of loopbackPorts(attempts)) {
      this.#port = port;
      try {
        await this.#start();
        return;
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error;
      }
    }
    throw new Error(`Redis did not start: ${attempts} ports in a row were taken.`);
  }

  async #start() {
    this.#isPaused = false;
    writeFileSync(join(this.#folder, 'log'), '');
    writeFileSync(join(this.#folder, 'redis.conf'), this.#configuration());
    this.#process = await this.#spawn();
    await this.#ready(this.#process);
  }

  #configuration() {
    const { appendonly = false, config = [], sentinelOf } = this.#options;
    return [
      'bind 127.0.0.1',
      `port ${this.#port}`,
      `dir "${this.#folder}"`,
      'daemonize no',
      'save ""',
      ...(appendonly ? ['appendonly yes', 'appendfsync always'] : ['appendonly no']),
      // Nobody stands by, so the Sentinel has nothing to do but to answer.
      ...(sentinelOf === undefined
        ? []
        : [
            `sentinel monitor main 127.0.0.1 ${sentinelOf} 1`,
            'sentinel down-after-milliseconds main 600000',
          ]),
      ...config,
      '',
    ].join('\n');
  }

  /** @returns {Promise<ServerProcess>} */
  async #spawn() {
    const { command } = requireServer();
    const shell = spawn(
      'sh',
      [
        join(import.meta.dirname, 'run-server.sh'),
        this.#folder,
        command,
        join(this.#folder, 'redis.conf'),
        ...(this.#options.sentinelOf === undefined ? [] : ['--sentinel']),
      ],
      // In a process group of its own: what ends the tests from a terminal leaves them the server until they are over.
      { detached: true, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
    );
    const ended = new Promise((resolve) => shell.once('exit', resolve)).then(() => {
      // The pipe has done its duty.
      for (const stream of shell.stdio) stream?.destroy();
      if (this.#process?.shell === shell) this.#process = undefined;
    });
    const [pid] = await once(/** @type {import('node:stream').Readable} */ (shell.stdout), 'data');
    shell.unref();
    for (const stream of shell.stdio) /** @type {import('node:net').Socket | null} */ (stream)?.unref();
    return { pid: Number(String(pid)), shell, ended };
  }

  /**
   * That the server says it is ready makes sure that the one which answers at the port is ours.
   *
   * @param {ServerProcess} server
   */
  async #ready(server) {
    const deadline = performance.now() + longestStart;
    while (!/ready to accept connections|Sentinel ID is/i.test(this.log()) || !(await answers(this.#port))) {
      if (this.#process !== server) {
        if (/Address already in use/i.test(this.log())) throw new PortTaken();
        throw new Error(`Redis ended while it started.\n${this.log()}`);
      }
      if (performance.now() > deadline) {
        throw new Error(`Redis did not answer within ${longestStart} ms.\n${this.log()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** @param {NodeJS.Signals} signal */
  #signal(signal) {
    if (this.#process === undefined) throw new Error('The Redis server of this test does not run.');
    process.kill(this.#process.pid, signal);
  }

  async #ended() {
    this.#process?.shell.ref();
    await this.#process?.ended;
  }
}

/**
 * Whether a server answers that has loaded its data. One that asks for a password has.
 *
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.once('data', (data) => {
      resolve(/^(?:\+PONG|-NOAUTH)/.test(String(data)));
      socket.destroy();
    });
    socket.once('error', () => {});
    socket.once('close', () => resolve(false));
  });
}
