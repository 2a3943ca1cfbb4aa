/**
 * Adds jobs of every kind at a steady rate, by our queue and by theirs, and pauses the queue now and then.
 */
export class Load {
  /** Ids of all jobs that were added. @type {Set<string>} */
  added = new Set();
  #queues;
  #random;
  #custom = 0;

  /**
   * @param {{ ours: import('nestjs-lane/engine').Queue, theirs: import('bullmq-6').Queue }} queues
   * @param {import('../support/seeded-random.mjs').SeededRandom} random
   */
  constructor(queues, random) {
    this.#queues = queues;
    this.#random = random;
  }

  /** @param {number} count how many jobs, about */
  async add(count) {
    const random = this.#random;
    for (let left = count; left > 0;) {
      const size = random.next() < 0.3 ? Math.min(left, random.integer(2, 50)) : 1;
      left -= size;
      const jobs = Array.from({ length: size }, () => this.#job());
      const queue = random.next() < 0.7 ? this.#queues.ours : this.#queues.theirs;
      const added =
        size === 1
          ? [await queue.add(jobs[0]?.name ?? '', jobs[0]?.data, jobs[0]?.opts)]
          : await queue.addBulk(jobs);
      for (const { id } of added) this.added.add(String(id));
    }
  }

  /** Stops the queue for a moment; whoever pauses and whoever resumes may be different libraries. */
  async pauseForAMoment() {
    const { ours, theirs } = this.#queues;
    const [first, second] = this.#random.next() < 0.5 ? [ours, theirs] : [theirs, ours];
    await first.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await second.resume();
  }

  #job() {
    const random = this.#random;
    const fails = random.next() < 0.1 ? random.integer(1, 3) : 0;
    const opts = {
      attempts: random.integer(1, 3),
      ...(random.next() < 0.2 && { delay: random.integer(1, 2_000) }),
      ...(random.next() < 0.2 && { priority: random.integer(1, 5) }),
      ...(random.next() < 0.1 && { lifo: true }),
      ...(random.next() < 0.2 && {
        backoff: backoffOf(random),
      }),
      ...(random.next() < 0.1 && { jobId: `job-${(this.#custom += 1)}` }),
      removeOnComplete: random.next() < 0.1 ? true : { count: 1_000 },
      removeOnFail: { count: 1_000 },
    };
    return {
      name: random.pick(['send', 'render', 'index']),
      data: { fails, millis: random.pick([0, 0, 0, 1, 5, 50]) },
      opts,
    };
  }
}

/** @param {import('../support/seeded-random.mjs').SeededRandom} random */
function backoffOf(random) {
  /** @type {'fixed' | 'exponential'} */
  const type = random.next() < 0.5 ? 'fixed' : 'exponential';
  return { type, delay: 50 };
}
