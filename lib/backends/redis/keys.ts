// Storage protocol, sections 1 and 2.

/**
 * What every key of a queue begins with, its colon included.
 *
 * @internal
 */
export function baseKeyOf(prefix: string, queueName: string): string {
  return `${prefix}:${queueName}:`;
}

/**
 * Name of the blocking connection of a worker, by which BullMQ and we find the workers of a queue. Storage protocol,
 * section 18.2.
 *
 * @internal
 */
export function workerClientName(prefix: string, queueName: string, workerName: string | null): string {
  const queue = `${prefix}:${Buffer.from(queueName).toString('base64')}`;
  // Redis takes no spaces and the like in the name of a client.
  return workerName === null ? queue : `${queue}:w:${encodeURI(workerName)}`;
}
