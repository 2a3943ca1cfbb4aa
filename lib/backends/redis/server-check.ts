import type { Cluster, Redis } from 'ioredis';

import { UnsupportedServerError } from '../../model/errors/unsupported-server.error';

/** The oldest Redis that has all commands of the scripts. */
const OLDEST = [6, 2] as const;

/**
 * Looks at a server once: refuses one that is too old, warns of one that drops keys. A server that does not tell is
 * taken as it is.
 *
 * @param store - what is spoken to, for messages
 * @param warned - warnings that were given already
 * @throws UnsupportedServerError
 *
 * @internal
 */
export async function checkServer(
  client: Redis | Cluster,
  store: string,
  warned: Set<string>,
): Promise<void> {
  let info: string;
  try {
    info = await client.info();
  } catch (error) {
    if ((error as Error).name !== 'ReplyError') {
      throw error;
    }
    warnOnce(
      warned,
      'LANE_SERVER_UNKNOWN',
      `${store} does not answer INFO, so its version and settings are not checked.`,
    );
    return;
  }
  const version = fieldOf(info, 'redis_version');
  // Valkey says of itself that it is a Redis that has what we need.
  if (version !== undefined && isOlder(version)) {
    throw new UnsupportedServerError(store, version, 'Redis 6.2 or newer, or Valkey,');
  }
  const policy = fieldOf(info, 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    warnOnce(
      warned,
      'LANE_EVICTION_POLICY',
      `${store} has the eviction policy "${policy}", with which it drops keys of jobs when its memory is full. ` +
        'Set maxmemory-policy to noeviction.',
    );
  }
}

function fieldOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

function warnOnce(warned: Set<string>, code: string, message: string): void {
  if (!warned.has(code)) {
    warned.add(code);
    process.emitWarning(message, { type: 'LaneWarning', code });
  }
}
