import { inspect } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { CommandForbiddenError } from '../../../../lib/model/errors/command-forbidden.error';
import { ConnectionLostError } from '../../../../lib/model/errors/connection-lost.error';
import { LoginRefusedError } from '../../../../lib/model/errors/login-refused.error';
import { StoreFullError } from '../../../../lib/model/errors/store-full.error';
import { StoreReadOnlyError } from '../../../../lib/model/errors/store-read-only.error';
import { StoreUnavailableError } from '../../../../lib/model/errors/store-unavailable.error';
import { hideArguments, storeErrorOf } from '../../../../lib/backends/redis/server-errors';

const store = 'Redis at queue.example:6379';

const script = `local job = KEYS[1]
redis.call('HSET', job, 'name', 'a')
redis.call(
  'ZADD', KEYS[1], 0, '0'
)
return 1`;

function reply(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

/** As Redis 6.2 tells of an error that a command raised within a script, and as Redis 7 does. */
function withinScript(line: number, message: string): [version: string, error: Error][] {
  const sha = '9bf237e77be57a173a6dca6ce41fb28c737a4fba';
  const place = `@user_script:${line}: @user_script: ${line}`;
  return [
    ['6.2', reply(`ERR Error running script (call to f_${sha}): ${place}: -${message} `)],
    ['7', reply(`${message} script: ${sha}, on @user_script:${line}.`)],
  ];
}

function meaningOf(error: unknown, requestSent = true): unknown {
  return storeErrorOf(error, store, requestSent, script);
}

describe('an error reply', () => {
  it.each(withinScript(3, "OOM command not allowed when used memory > 'maxmemory'."))(
    'of Redis %s within a script means that the memory is full',
    (_, error) => {
      expect(meaningOf(error)).toBeInstanceOf(StoreFullError);
      expect(meaningOf(error)).toHaveProperty('cause', error);
    },
  );

  it.each([
    ...withinScript(2, "READONLY You can't write against a read only replica."),
    ['on its own', reply("READONLY You can't write against a read only replica.")] as const,
  ])('of Redis %s means that the server is a replica', (_, error) => {
    expect(meaningOf(error)).toBeInstanceOf(StoreReadOnlyError);
  });

  it.each([
    'LOADING Redis is loading the dataset in memory',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'CLUSTERDOWN Hash slot not served',
    'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
    'NOREPLICAS Not enough good replicas to write.',
    'BUSY Redis is busy running a script.',
    'TRYAGAIN Multiple keys request during rehashing of slot',
    'UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)',
    'ERR DB index is out of range',
    'ERR SELECT is not allowed in cluster mode',
  ])('means that the server serves no calls, and is told: %s', (message) => {
    const meaning = meaningOf(reply(message));

    expect(meaning).toBeInstanceOf(StoreUnavailableError);
    expect(meaning).toHaveProperty('reply', message);
  });

  it('is told what to do about a number that no database has', () => {
    const { message } = meaningOf(reply('ERR DB index is out of range')) as Error;

    expect(message).toContain('Give the number of a database that the server has, or none; workers go on');
    expect(message).not.toContain('Wait');
  });

  it('is told without the place in a script that Redis 6.2 puts before it', () => {
    const [[, error]] = withinScript(2, 'MISCONF Redis is configured to save RDB snapshots') as [
      [string, Error],
    ];

    expect(meaningOf(error)).toHaveProperty('reply', 'MISCONF Redis is configured to save RDB snapshots ');
  });

  it.each([
    'WRONGPASS invalid username-password pair or user is disabled.',
    'NOAUTH Authentication required.',
    'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used.',
    'ERR invalid password',
    'ERR invalid username-password pair',
  ])('means that the login is refused: %s', (message) => {
    expect(meaningOf(reply(message))).toBeInstanceOf(LoginRefusedError);
  });

  it.each([
    ["NOPERM this user has no permissions to run the 'evalsha' command", 'evalsha'],
    ["NOPERM this user has no permissions to run the 'config|get' command or its subcommand", 'config'],
    ["NOPERM User lane has no permissions to run the 'bzpopmin' command", 'bzpopmin'],
    [
      "NOPERM User lane has no permissions to run the 'zadd' command script: 9bf237, on @user_script:2.",
      'zadd',
    ],
    [
      "ERR The user executing the script can't run this command or subcommand script: 9bf237, on @user_script:2.",
      'hset',
    ],
    [
      "ERR The user executing the script can't run this command or subcommand script: 9bf237, on @user_script:3.",
      'zadd',
    ],
    [
      'ERR Error running script (call to f_9bf237): @user_script:3: @user_script: 3: ' +
        "-NOPERM The user executing the script can't run this command or subcommand ",
      'zadd',
    ],
    ["ERR unknown command 'zadd', with args beginning with: 'marker' '0' '0' ", 'zadd'],
    ['ERR unknown command `INFO`, with args beginning with: ', 'INFO'],
    ['ERR Unknown Redis command called from script script: 9bf237, on @user_script:3.', 'zadd'],
    [
      'ERR Error running script (call to f_9bf237): @user_script:2: ' +
        '@user_script: 2: Unknown Redis command called from Lua script ',
      'hset',
    ],
    ["ERR The user executing the script can't run this command or subcommand", undefined],
    ['NOPERM this user has no permissions to access one of the keys used as arguments', undefined],
    [
      "ERR The user executing the script can't access at least one of the keys mentioned in the command " +
        'arguments script: 9bf237, on @user_script:2.',
      undefined,
    ],
  ])('means that the user may not do it, and which command that is: %s', (message, command) => {
    const meaning = meaningOf(reply(message));

    expect(meaning).toBeInstanceOf(CommandForbiddenError);
    expect(meaning).toHaveProperty('command', command);
  });

  it.each([
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    'ERR syntax error',
    "ERR the user said 'OOM'",
  ])('means nothing of this: %s', (message) => {
    expect(meaningOf(reply(message))).toBeUndefined();
  });
});

describe('an error of the client library', () => {
  it.each([
    ['Connection is closed.', {}],
    ["Stream isn't writeable and enableOfflineQueue options is false", {}],
    ["Socket timeout. Expecting data, but didn't receive any in 4000ms.", {}],
    ['Command aborted due to connection close', {}],
    ['Connection ended by peer', {}],
    ['Failed to refresh cluster nodes', {}],
    ["Cluster isn't ready and enableOfflineQueue options is false", {}],
    ['Cluster is ended.', {}],
    ['Cluster is disconnecting.', {}],
    ['None of startup nodes is available', {}],
    ['Node is disconnected', {}],
    ['Too many Cluster redirections. Last error: Error: Connection is closed.', {}],
    ['gone', { name: 'AbortError' }],
    ['gone', { name: 'MaxRetriesPerRequestError' }],
    ['connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['getaddrinfo ENOTFOUND', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    ['certificate has expired', { code: 'CERT_HAS_EXPIRED' }],
    ['self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ])('means that there is no connection: %s %j', (message, fields) => {
    const error = Object.assign(new Error(message), fields);
    for (const requestSent of [true, false]) {
      const meaning = meaningOf(error, requestSent);
      expect(meaning).toBeInstanceOf(ConnectionLostError);
      expect(meaning).toHaveProperty('requestSent', requestSent);
    }
  });

  it('means nothing of this when it is a mistake', () => {
    expect(meaningOf(new TypeError('x is not a function'))).toBeUndefined();
  });
});

describe('what an error tells of the command', () => {
  it('is its name, not what was sent with it', () => {
    const error = Object.assign(reply('WRONGPASS'), {
      command: { name: 'hello', args: ['3', 'AUTH', 'lane', 'secret'] },
    });
    hideArguments(error);

    expect(error.command).toEqual({ name: 'hello' });
    expect(inspect(storeErrorOf(error, store, false), { depth: 9, showHidden: true })).not.toContain(
      'secret',
    );
  });

  it('is no more either when it is that of a node of a cluster', () => {
    const lastNodeError = Object.assign(reply('WRONGPASS'), { command: { name: 'auth', args: ['secret'] } });
    hideArguments(Object.assign(new Error('Failed to refresh slots cache.'), { lastNodeError }));

    expect(lastNodeError.command).toEqual({ name: 'auth' });
  });

  it('may be nothing', () => {
    const error = new Error('Connection is closed.');
    hideArguments(error);

    expect(error).not.toHaveProperty('command');
  });
});
