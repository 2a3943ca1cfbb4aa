import type { Cluster, Redis } from 'ioredis';

import { CommandForbiddenError } from '../../model/errors/command-forbidden.error';
import { UnsupportedServerError } from '../../model/errors/unsupported-server.error';
import { hasHashTag } from './keys';
import { CHECK_RIGHTS } from './lua-scripts';
import { storeErrorOf } from './server-errors';

/** The oldest Redis that has all commands of the scripts. */
const OLDEST = [6, 2] as const;

/** Milliseconds by which clocks may differ without a word. */
const CLOSE_CLOCKS = 1_000;

/**
 * Looks at a server when it is first connected to: refuses what cannot work, warns of what can go wrong. A server that
 * does not tell is taken as it is.
 *
 * @internal
 */
export class ServerCheck {
  readonly #warned = new Set<string>();
  #isDone = false;

  /**
   * @param store - what is spoken to, for messages
   * @param prefix - what the keys begin with that the user has rights on
   * @param isServerTime - whether jobs go by the time of the server
   */
  constructor(
    private readonly store: string,
    private readonly prefix: string,
    private readonly isServerTime: boolean,
  ) {}

  /** @throws UnsupportedServerError or CommandForbiddenError */
  async run(client: Redis | Cluster): Promise<void> {
    if (this.#isDone) {
      return;
    }
    const info = await orUndefined(client.info());
    if (info === undefined) {
      this.#warn(
        'LANE_SERVER_UNKNOWN',
        `${this.store} does not answer INFO, so its version and settings are not checked.`,
      );
    } else {
      this.#checkInfo(info, client.isCluster);
    }
    await this.#checkRights(client);
    await this.#checkClock(client);
    this.#isDone = true;
  }

  #checkInfo(info: string, isCluster: boolean): void {
    const version = fieldOf(info, 'redis_version');
    // Valkey says of itself that it is a Redis that has what we need.
    if (version !== undefined && isOlder(version)) {
      throw new UnsupportedServerError(this.store, version, 'Redis 6.2 or newer, or Valkey,');
    }
    if (fieldOf(info, 'redis_mode') === 'cluster' && !isCluster && !hasHashTag(this.prefix)) {
      const needed = 'a client of the cluster, with a hash tag in the prefix such as "{bull}",';
      throw new UnsupportedServerError(this.store, `${version ?? 'a node'} in cluster mode`, needed);
    }
    const policy = fieldOf(info, 'maxmemory_policy');
    if (policy !== undefined && policy !== 'noeviction') {
      this.#warn(
        'LANE_EVICTION_POLICY',
        `${this.store} has the eviction policy "${policy}", with which it drops keys of jobs when its memory is ` +
          'full. Set maxmemory-policy to noeviction.',
      );
    }
  }

  /** A script that is stopped half-way by a missing right would leave half of its work. */
  async #checkRights(client: Redis | Cluster): Promise<void> {
    // With one colon after the prefix it is no key of a queue.
    const key = `${this.prefix}:ln.rights`;
    const forbidden = (await client.eval(CHECK_RIGHTS.text, 1, key, Date.now())) as string[];
    if (forbidden.length > 0) {
      throw new CommandForbiddenError(this.store, forbidden[0]);
    }
  }

  async #checkClock(client: Redis | Cluster): Promise<void> {
    const before = Date.now();
    const answer = (await orUndefined(client.time())) as readonly [string, string] | undefined;
    if (answer === undefined) {
      return;
    }
    const server = Number(answer[0]) * 1_000;
    const ahead = Math.max(server - Date.now(), before - (server + 1_000));
    if (ahead > CLOSE_CLOCKS) {
      this.#warn(
        'LANE_CLOCK_SKEW',
        `The clock of this host and that of ${this.store} differ by ${Math.round(ahead / 1_000)} seconds. Jobs go by ` +
          `${this.isServerTime ? 'that of the server' : 'those of the hosts'}. Synchronise them.`,
      );
    }
  }

  #warn(code: string, message: string): void {
    if (!this.#warned.has(code)) {
      this.#warned.add(code);
      process.emitWarning(message, { type: 'LaneWarning', code });
    }
  }
}

/** What a command answers, unless the server refuses that very command. */
async function orUndefined<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    const meaning = storeErrorOf(error, '', false);
    const isRefused = (error as Error).name === 'ReplyError';
    if (isRefused && (meaning === undefined || meaning instanceof CommandForbiddenError)) {
      return undefined;
    }
    throw error;
  }
}

function fieldOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}
