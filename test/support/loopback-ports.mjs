/**
 * Port numbers to try in turn, in random order: whether one is free shows when it is bound. They are below those that
 * systems give to outgoing connections. A client that keeps dialling one of those, while nobody listens there, is given
 * the same port for its own end some day, and then talks to itself.
 *
 * @param {number} count
 * @returns {Generator<number, void>}
 */
export function* loopbackPorts(count) {
  const lowest = 10_240;
  const highest = 32_767;
  for (let index = 0; index < count; index += 1) {
    yield lowest + Math.floor(Math.random() * (highest - lowest + 1));
  }
}
