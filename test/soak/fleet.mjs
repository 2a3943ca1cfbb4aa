import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * The worker processes. The first one lives on, so that what it keeps in memory can be seen; the others are killed or
 * closed at random and started again.
 */
export class Fleet {
  kills = 0;
  closes = 0;
  /** Bytes that the first process had in use, look by look. @type {number[]} */
  heap = [];
  /** What processes wrote to their error output, each line with how often. @type {Map<string, number>} */
  complaints = new Map();
  /** @type {{ party: string, child: import('node:child_process').ChildProcess }[]} */
  #members = [];
  #url;
  #queue;

  /**
   * @param {string} url
   * @param {string} queue
   * @param {readonly string[]} parties
   */
  constructor(url, queue, parties) {
    this.#url = url;
    this.#queue = queue;
    this.#members = parties.map((party, index) => ({ party, child: this.#start(party, index === 0) }));
  }

  /** @param {import('../support/seeded-random.mjs').SeededRandom} random */
  async disturb(random) {
    const member = this.#members[random.integer(1, this.#members.length - 1)];
    if (member === undefined) return;
    const isKill = random.next() < 0.7;
    await end(member.child, isKill ? 'SIGKILL' : 'SIGTERM');
    if (isKill) this.kills += 1;
    else this.closes += 1;
    member.child = this.#start(member.party, false);
  }

  async stop() {
    await Promise.all(this.#members.map(({ child }) => end(child, 'SIGTERM')));
  }

  /** @param {string} party @param {boolean} isWatched */
  #start(party, isWatched) {
    const args = ['--expose-gc', 'test/soak/worker-process.mjs', party, this.#url, this.#queue];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    createInterface(child.stdout).on('line', (line) => {
      const [word, bytes] = line.split(' ');
      if (isWatched && word === 'heap') this.heap.push(Number(bytes));
    });
    createInterface(child.stderr).on('line', (line) =>
      this.complaints.set(line, (this.complaints.get(line) ?? 0) + 1),
    );
    return child;
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
async function end(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
