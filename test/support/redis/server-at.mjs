import { Redis } from 'ioredis';

/**
 * What answers at a URL.
 *
 * @param {string} url
 * @returns {Promise<{ name: string, version: string, address: string }>} `address`: the URL without user and password
 */
export async function serverAt(url) {
  const { host, pathname } = new URL(url);
  const address = host + pathname;
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  // Its message is that of the call which fails.
  client.on('error', () => {});
  try {
    await client.connect();
    const info = await client.info('server');
    const field = (/** @type {string} */ name) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
    const valkey = field('valkey_version');
    return valkey === undefined
      ? { name: 'Redis', version: field('redis_version') ?? 'unknown', address }
      : { name: 'Valkey', version: valkey, address };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`No Redis answers at ${address}, where LANE_TEST_REDIS_URL points: ${reason}`, {
      cause: error,
    });
  } finally {
    client.disconnect();
  }
}
