// The commands of Redis that a script may call: those that Redis 6.2 has, and that work on keys which the script
// names, in a time that does not grow with the whole database.

const byData = {
  keys: 'COPY DEL DUMP EXISTS EXPIRE EXPIREAT OBJECT PERSIST PEXPIRE PEXPIREAT PTTL RENAME RENAMENX RESTORE TOUCH TTL TYPE UNLINK',
  strings:
    'APPEND BITCOUNT BITFIELD BITFIELD_RO BITOP BITPOS DECR DECRBY GET GETBIT GETDEL GETEX GETRANGE GETSET INCR INCRBY INCRBYFLOAT MGET MSET MSETNX PSETEX SET SETBIT SETEX SETNX SETRANGE STRLEN',
  hashes:
    'HDEL HEXISTS HGET HGETALL HINCRBY HINCRBYFLOAT HKEYS HLEN HMGET HMSET HRANDFIELD HSCAN HSET HSETNX HSTRLEN HVALS',
  lists:
    'LINDEX LINSERT LLEN LMOVE LPOP LPOS LPUSH LPUSHX LRANGE LREM LSET LTRIM RPOP RPOPLPUSH RPUSH RPUSHX SORT',
  sets: 'SADD SCARD SDIFF SDIFFSTORE SINTER SINTERSTORE SISMEMBER SMEMBERS SMISMEMBER SMOVE SPOP SRANDMEMBER SREM SSCAN SUNION SUNIONSTORE',
  sortedSets:
    'ZADD ZCARD ZCOUNT ZDIFF ZDIFFSTORE ZINCRBY ZINTER ZINTERSTORE ZLEXCOUNT ZMSCORE ZPOPMAX ZPOPMIN ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANGESTORE ZRANK ZREM ZREMRANGEBYLEX ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE ZUNION ZUNIONSTORE',
  streams:
    'XACK XADD XAUTOCLAIM XCLAIM XDEL XGROUP XINFO XLEN XPENDING XRANGE XREAD XREADGROUP XREVRANGE XSETID XTRIM',
  others: 'PFADD PFCOUNT PFMERGE PUBLISH TIME',
};

export const allowedCommands = new Set(Object.values(byData).flatMap((names) => names.split(' ')));

/** Commands that no script may call, with the reason. */
const forbidden = new Map(
  Object.entries({
    'looks at the whole database': 'DBSIZE KEYS RANDOMKEY SCAN',
    'deletes or moves the whole database': 'FLUSHALL FLUSHDB MIGRATE MOVE SWAPDB',
    'changes the connection or the server':
      'ACL AUTH CLIENT CLUSTER CONFIG DEBUG MONITOR REPLICAOF RESET SAVE SELECT SHUTDOWN SLAVEOF',
    'runs a script': 'EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO FUNCTION SCRIPT',
    waits: 'BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN WAIT WAITAOF',
  }).flatMap(([reason, names]) => names.split(' ').map((name) => /** @type {const} */ ([name, reason]))),
);

/**
 * @param {string} command
 * @returns {string | undefined} why a script may not call it
 */
export function objectionTo(command) {
  if (allowedCommands.has(command)) return undefined;
  const reason = forbidden.get(command);
  if (reason) return `${command} is not for scripts: it ${reason}.`;
  const upper = command.toUpperCase();
  if (upper !== command && allowedCommands.has(upper)) return `Write ${command} in upper case.`;
  return `${command} is not a command that Redis 6.2 offers to scripts.`;
}
