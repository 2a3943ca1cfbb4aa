/** Random choices that can be had again from their seed. */
export class SeededRandom {
  #state;

  /**
   * @param {number} [seed] Default: the environment variable `LANE_SEED`, or else a new one for each run.
   */
  constructor(seed = seedOfThisRun()) {
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
      throw new RangeError(`A seed is an integer from 0 to 4294967295, not ${seed}.`);
    }
    /** @readonly */
    this.seed = seed;
    this.#state = seed;
  }

  /** A number from 0 up to, not including, 1. */
  next() {
    // Mulberry32, by Tommy Ettinger: public domain.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * An integer between two others, both included.
   *
   * @param {number} lowest
   * @param {number} highest
   */
  integer(lowest, highest) {
    return lowest + Math.floor(this.next() * (highest - lowest + 1));
  }

  /**
   * One of some items.
   *
   * @template T
   * @param {readonly [T, ...T[]]} items
   * @returns {T}
   */
  pick(items) {
    return /** @type {T} */ (items[this.integer(0, items.length - 1)]);
  }

  /** How to have the same choices again. Belongs into the message of a failure. */
  toString() {
    return `seed ${this.seed} (to replay: LANE_SEED=${this.seed})`;
  }
}

function seedOfThisRun() {
  const given = process.env.LANE_SEED;
  return given ? Number(given) : Math.floor(Math.random() * 2 ** 32);
}
