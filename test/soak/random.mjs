/** Random numbers that a seed repeats: a linear congruential generator, of which the upper bits are used. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = BigInt(seed);
  }

  /** From 0 up to, but not including, 1. */
  next() {
    this.#state = (this.#state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return Number(this.#state >> 33n) / 2 ** 31;
  }

  /** @param {number} share */
  chance(share) {
    return this.next() < share;
  }

  /** A whole number, both ends included. @param {number} least @param {number} most */
  integer(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @template T @param {readonly T[]} values @returns {T} */
  pick(values) {
    return /** @type {T} */ (values[this.integer(0, values.length - 1)]);
  }
}
