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
 * Whether a cluster keeps all keys that begin so on one node.
 *
 * @internal
 */
export function hasHashTag(start: string): boolean {
  return /^[^{]*\{[^}]+\}/.test(start);
}

/**
 * Name of the blocking connection of a worker, by which BullMQ and we find the workers of a queue. Storage protocol,
 * section 18.2.
 *
 * @internal
 */
export function workerClientName(prefix: string, queueName: string, workerName: string | null): string {
  const queue = `${legal(prefix)}:${Buffer.from(queueName).toString('base64')}`;
  return workerName === null ? queue : `${queue}:w:${legal(workerName.replaceAll('%', '%25'))}`;
}

/**
 * Reads the name of a connection.
 *
 * @returns the name of the worker that it is of, `null` for one without a name, `undefined` unless it is of a worker
 * of that queue
 *
 * @internal
 */
export function workerNameOf(
  clientName: string,
  prefix: string,
  queueName: string,
): string | null | undefined {
  const queue = workerClientName(prefix, queueName, null);
  if (clientName === queue) {
    return null;
  }
  if (!clientName.startsWith(`${queue}:w:`)) {
    return undefined;
  }
  const workerName = clientName.slice(queue.length + 3);
  try {
    return decodeURIComponent(workerName);
  } catch {
    // That of a BullMQ worker, who does not encode names.
    return workerName;
  }
}

/** A server takes no names with blanks, line ends, or letters beyond ASCII: these are percent-encoded. */
function legal(text: string): string {
  return text.replace(/[^!-~]+/g, (illegal) => Buffer.from(illegal).toString('hex').replace(/../g, '%$&'));
}
