import { randomBytes } from 'node:crypto';

import { Redis } from 'ioredis';
import { Queue } from 'nestjs-lane/engine';
import { redis } from 'nestjs-lane/redis';

import { bullmq, type Major, type Party } from './bullmq';
import type { Closeable, Producer } from './common-ground';
import { serverUrl } from './server';

export const parties = ['ours', 5, 6] as const satisfies Party[];

/** What somebody does to a queue. */
export interface Step {
  readonly call: 'add' | 'pause' | 'resume';
  readonly by: Party;
}

/** What became of the jobs of a sequence. */
export interface Outcome {
  /** The sequence, with the major of BullMQ in whose ways we took each of our steps. */
  readonly asBullMq: Step[];
  /** Jobs that no worker would find. */
  readonly lost: string[];
  readonly isPaused: boolean;
}

export function textOf(steps: readonly Step[]): string {
  return steps.map(({ call, by }) => `${by} ${call}s`).join(', ');
}

/** Every way in which some parties can take the steps. */
export function waysOf(calls: readonly Step['call'][], among: readonly Party[] = parties): Step[][] {
  return calls.reduce<Step[][]>(
    (ways, call) => ways.flatMap((way) => among.map((by) => [...way, { call, by }])),
    [[]],
  );
}

/**
 * Takes steps on queues, each time on a new one, which each party opens for its first step.
 */
export class PauseSequences {
  readonly #prefix = `lane-${randomBytes(6).toString('hex')}`;
  readonly #theirs = new Redis(serverUrl(), { maxRetriesPerRequest: null });
  readonly #ours;
  #queues = 0;

  /** @param told - which clients of BullMQ we are told of */
  constructor(readonly told: 'auto' | Major = 'auto') {
    this.#ours = redis({ url: serverUrl(), prefix: this.#prefix, bullmq: told });
  }

  async run(steps: readonly Step[]): Promise<Outcome> {
    const name = `q${(this.#queues += 1)}`;
    const key = (part: string): string => `${this.#prefix}:${name}:${part}`;
    const opened = new Map<Party, Producer & Closeable>();
    const added: string[] = [];
    const asBullMq: Step[] = [];
    for (const { call, by } of steps) {
      const queue = opened.get(by) ?? (await this.#open(by, name));
      opened.set(by, queue);
      if (call === 'add') {
        const jobId = `${by}-${added.length}`;
        added.push(jobId);
        await queue.add('job', {}, { jobId });
      } else {
        await queue[call]();
      }
      const actsAs5 = by === 'ours' && (await this.#theirs.hget(key('meta'), 'ln:v5')) === '1';
      asBullMq.push({ call, by: by === 'ours' ? (actsAs5 ? 5 : 6) : by });
    }
    const isPaused = (await this.#theirs.hexists(key('meta'), 'paused')) === 1;
    const waiting = await this.#theirs.lrange(key('wait'), 0, -1);
    await Promise.all([...opened.values()].map((queue) => queue.close()));
    if (new Set(waiting).size < waiting.length) {
      throw new Error(`A job waits twice after ${textOf(steps)}: ${waiting.join(', ')}.`);
    }
    return { asBullMq, lost: added.filter((id) => !waiting.includes(id)), isPaused };
  }

  async close(): Promise<void> {
    let cursor = '0';
    do {
      const [next, keys] = await this.#theirs.scan(cursor, 'MATCH', `${this.#prefix}:*`, 'COUNT', 1000);
      if (keys.length > 0) await this.#theirs.unlink(keys);
      cursor = next;
    } while (cursor !== '0');
    await this.#theirs.quit();
  }

  async #open(party: Party, name: string): Promise<Producer & Closeable> {
    if (party === 'ours') return new Queue(name, { backend: this.#ours });
    const queue = new (bullmq(party).Queue)(name, { connection: this.#theirs, prefix: this.#prefix });
    await queue.waitUntilReady();
    return queue as Producer & Closeable;
  }
}
