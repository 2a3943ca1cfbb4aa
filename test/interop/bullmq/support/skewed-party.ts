import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { waitUntil } from '../../../support/wait-until';
import type { Party } from './bullmq';
import type { CommonGround, CommonJobOptions, CommonWorkerOptions } from './common-ground';
import { serverUrl } from './server';

/** A job that was given to a handler. */
export interface Run {
  readonly queue: string;
  readonly id: string;
  readonly by: 'skewed' | 'sane';
  /** By the clock of the server, which runs on this machine. */
  readonly at: number;
  /** How often the job was started, this time included. */
  readonly attempt: number;
}

export interface HeldJob {
  readonly name: string;
  /** `holds`: how many milliseconds the handler takes. */
  readonly data: { holds?: number };
  readonly opts: CommonJobOptions;
}

type Told = { run: Run } | { done: true } | { error: string };

/** Queues and workers of a party in a process whose clock is off. */
export class SkewedParty {
  readonly runs: Run[] = [];
  readonly errors: string[] = [];
  readonly #child: ChildProcess;
  #done = 0;
  #asked = 1;

  /** @param skew - milliseconds by which its clock is ahead of the server's */
  constructor(ground: CommonGround, party: Party, skew: number) {
    this.#child = fork(
      join(process.cwd(), 'test/interop/bullmq/support/skewed-process.mjs'),
      [JSON.stringify({ party, url: serverUrl(), prefix: ground.prefix, skew })],
      { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    this.#child.on('message', (told: Told) => {
      if ('done' in told) {
        this.#done += 1;
      } else if ('error' in told) {
        this.errors.push(told.error);
      } else {
        this.runs.push(told.run);
      }
    });
  }

  /** Waits until the process can be told something. */
  ready(): Promise<void> {
    return this.#untilDone();
  }

  add(queue: string, jobs: readonly HeldJob[]): Promise<void> {
    return this.#order({ order: 'add', queue, jobs });
  }

  work(queue: string, options: CommonWorkerOptions): Promise<void> {
    return this.#order({ order: 'work', queue, options });
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.send({ order: 'close', queue: '' });
    // A process that has a socket of BullMQ open yet ends when it is told to.
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await exit;
    clearTimeout(timer);
  }

  async #order(order: object): Promise<void> {
    await this.#untilDone();
    this.#asked += 1;
    this.#child.send(order);
    await this.#untilDone();
  }

  async #untilDone(): Promise<void> {
    await waitUntil(
      () => {
        if (this.#child.exitCode !== null || this.errors.length > 0) {
          throw new Error(`The process with the skewed clock: ${this.errors.join('; ') || 'it has ended'}.`);
        }
        return this.#done === this.#asked;
      },
      { reason: 'the process has done what it was told', deadline: 15_000 },
    );
  }
}
