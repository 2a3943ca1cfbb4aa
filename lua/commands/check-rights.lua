--[[
Finds out which of the commands that the scripts use this user may not run, on a key of its own: a script that is
stopped half-way would leave half of its work.

@keys base
@args now
@result the names of the forbidden commands
@refusals none
@events none
@bound constant
]]
local now = unpack(ARGV, 1, 1)
local key = KEYS[1]
local forbidden = {}

-- A command that meets a key of another type has got past the rights.
local function note(name, reply)
  local message = type(reply) == 'table' and reply.err or ''
  if string.find(message, 'NOPERM', 1, true) or string.find(message, "can't run this command", 1, true) then
    forbidden[#forbidden + 1] = name
  end
end

note('hset', redis.pcall('HSET', key, 'checked', now))
note('del', redis.pcall('DEL', key))
note('exists', redis.pcall('EXISTS', key))
note('get', redis.pcall('GET', key))
note('hdel', redis.pcall('HDEL', key, 'checked'))
note('hget', redis.pcall('HGET', key, 'checked'))
note('hgetall', redis.pcall('HGETALL', key))
note('hrandfield', redis.pcall('HRANDFIELD', key, '1'))
note('hmget', redis.pcall('HMGET', key, 'checked'))
note('lindex', redis.pcall('LINDEX', key, '-1'))
note('llen', redis.pcall('LLEN', key))
note('lpop', redis.pcall('LPOP', key))
note('lpos', redis.pcall('LPOS', key, now))
note('lrange', redis.pcall('LRANGE', key, '0', '0'))
note('lrem', redis.pcall('LREM', key, '1', now))
note('lset', redis.pcall('LSET', key, '0', now))
note('ltrim', redis.pcall('LTRIM', key, '0', '-1'))
note('mget', redis.pcall('MGET', key))
note('pexpireat', redis.pcall('PEXPIREAT', key, '1'))
note('pttl', redis.pcall('PTTL', key))
note('rename', redis.pcall('RENAME', key, key))
note('rpop', redis.pcall('RPOP', key, '1'))
note('rpoplpush', redis.pcall('RPOPLPUSH', key, key))
note('sismember', redis.pcall('SISMEMBER', key, now))
note('srandmember', redis.pcall('SRANDMEMBER', key, '1'))
note('srem', redis.pcall('SREM', key, now))
note('time', redis.pcall('TIME'))
note('xlen', redis.pcall('XLEN', key))
note('xtrim', redis.pcall('XTRIM', key, 'MAXLEN', '1'))
note('zcard', redis.pcall('ZCARD', key))
note('zcount', redis.pcall('ZCOUNT', key, '0', '0'))
note('zpopmin', redis.pcall('ZPOPMIN', key, '1'))
note('zrange', redis.pcall('ZRANGE', key, '0', '0'))
note('zrangebyscore', redis.pcall('ZRANGEBYSCORE', key, '0', '0'))
note('zrem', redis.pcall('ZREM', key, now))
note('zrevrange', redis.pcall('ZREVRANGE', key, '0', '0'))
note('zrevrangebyscore', redis.pcall('ZREVRANGEBYSCORE', key, '0', '0'))
note('zscore', redis.pcall('ZSCORE', key, now))
note('set', redis.pcall('SET', key, now))
-- From here on the key holds a text, so that these change nothing.
note('hincrby', redis.pcall('HINCRBY', key, 'checked', '1'))
note('lpush', redis.pcall('LPUSH', key, now))
note('rpush', redis.pcall('RPUSH', key, now))
note('sadd', redis.pcall('SADD', key, now))
note('xadd', redis.pcall('XADD', key, '*', 'checked', now))
note('zadd', redis.pcall('ZADD', key, '1', now))
redis.pcall('DEL', key)
note('incr', redis.pcall('INCR', key))
note('incrby', redis.pcall('INCRBY', key, '1'))
redis.pcall('DEL', key)
return forbidden
