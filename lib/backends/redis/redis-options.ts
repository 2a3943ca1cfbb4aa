import type { Cluster, Redis, RedisOptions as IoredisOptions } from 'ioredis';

import type { Clock } from '../../contract/clock';
import { InvalidRedisOptionError } from '../../model/errors/invalid-redis-option.error';
import { refuseUnknownOptions } from '../../model/option-names';
import { baseKeyOf, hasHashTag } from './keys';

/**
 * Which server, and how queues are stored there. Of `url`, `connection` and `client` at most one is given; without
 * any it is the server at 127.0.0.1, port 6379.
 *
 * @public
 */
export interface RedisOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  url?: string;
  /**
   * Options of an ioredis client, for whatever a URL cannot say: certificates, Sentinels, a socket path. When commands
   * are repeated, wait or are given up, and when the connection is made anew, is ours to say: such options have no
   * effect. `keyPrefix` is refused.
   */
  connection?: IoredisOptions;
  /** An ioredis client, or one of a cluster, whose options are used as those of `connection`. It is duplicated, and never closed. */
  client?: Redis | Cluster;
  /** What the keys of all queues begin with, as BullMQ's `prefix`. A cluster needs a hash tag. Default `bull`. */
  prefix?: string;
  /**
   * Clients of which BullMQ share the queues: those of version 5 move the jobs of a paused queue, those of version 6
   * do not. `auto` finds out from what they store. Default `auto`.
   */
  bullmq?: 'auto' | 5 | 6;
  /**
   * Whose time counts: the server's, or, as BullMQ has it, that of each client: `client`, or a clock for tests.
   * Default: the server's.
   */
  clock?: Clock | 'client';
}

const NAMES: readonly (keyof RedisOptions)[] = ['url', 'connection', 'client', 'prefix', 'bullmq', 'clock'];
const TARGETS = ['url', 'connection', 'client'] as const;

/**
 * Refuses options that cannot be right.
 *
 * @throws UnknownOptionError, InvalidOptionsError or InvalidRedisOptionError
 *
 * @internal
 */
export function checkRedisOptions(options: RedisOptions): void {
  refuseUnknownOptions('redis', options, NAMES);
  const given = TARGETS.filter((name) => options[name] !== undefined);
  if (given.length > 1) {
    const rule = `left out when "${given[0]!}" is given`;
    throw new InvalidRedisOptionError(
      given[1]!,
      options[given[1]!],
      rule,
      'Give one of url, connection and client.',
    );
  }
  checkPrefix(options.prefix);
  if (!['auto', 5, 6, undefined].includes(options.bullmq)) {
    throw new InvalidRedisOptionError('bullmq', options.bullmq, '"auto", 5 or 6', 'Correct the value.');
  }
  checkClock(options.clock);
  checkClientOptions(options);
}

/**
 * Refuses a queue whose keys a cluster would spread over its nodes: no script could have them all, and one that fails
 * half-way leaves half of its work behind.
 *
 * @throws InvalidRedisOptionError
 *
 * @internal
 */
export function checkHashTag({ client }: RedisOptions, prefix: string, queueName: string): void {
  if (client?.isCluster === true && !hasHashTag(baseKeyOf(prefix, queueName))) {
    throw new InvalidRedisOptionError(
      'prefix',
      prefix,
      'one with a hash tag, as a cluster keeps all keys of a queue together only by that',
      'Write "{bull}", and give it to all clients of the queue.',
    );
  }
}

function checkPrefix(prefix: unknown): void {
  if (prefix !== undefined && (typeof prefix !== 'string' || prefix === '')) {
    throw new InvalidRedisOptionError(
      'prefix',
      prefix,
      'a text that is not empty',
      'Leave it out for "bull".',
    );
  }
}

function checkClock(clock: unknown): void {
  const isClock = typeof (clock as Partial<Clock> | undefined)?.now === 'function';
  if (clock !== undefined && clock !== 'client' && !isClock) {
    throw new InvalidRedisOptionError(
      'clock',
      clock,
      '"client" or a clock',
      "Leave it out for the server's time.",
    );
  }
}

function checkClientOptions({ url, connection, client }: RedisOptions): void {
  if (url !== undefined && typeof url !== 'string') {
    const rule = 'a text such as "redis://127.0.0.1:6379"';
    throw new InvalidRedisOptionError('url', url, rule, 'Correct the value.');
  }
  if (connection !== undefined && (typeof connection !== 'object' || connection === null)) {
    throw new InvalidRedisOptionError(
      'connection',
      connection,
      'an object of ioredis options',
      'Correct the value.',
    );
  }
  if (client !== undefined && typeof (client as Partial<Redis> | null)?.duplicate !== 'function') {
    throw new InvalidRedisOptionError(
      'client',
      client,
      'a client of ioredis',
      'Pass new Redis(…) or new Cluster(…).',
    );
  }
  const keyPrefix = [
    connection,
    (client as Redis | undefined)?.options,
    (client as Cluster | undefined)?.options.redisOptions,
  ]
    .map((options) => options?.keyPrefix)
    .find((each) => each !== undefined && each !== '');
  if (keyPrefix !== undefined) {
    const fix = 'Leave keyPrefix out, and use the prefix option of redis().';
    throw new InvalidRedisOptionError('keyPrefix', keyPrefix, 'left out: scripts name keys in full', fix);
  }
}
