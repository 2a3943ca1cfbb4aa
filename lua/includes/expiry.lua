--[[
Time limits of jobs. Until when a job has to be started, and how long that is, the job itself says. The set tells where to
look for those that nobody starts; it may name jobs that are gone, or that a client of BullMQ has started.

@rare
@writes job ln:x
]]
-- @include slots
-- As EXPIRED_REASON of the contract.
local EXPIRED_REASON = 'job was not started in time'

-- How long the set outlives the last time in it. It is given a day more, so that not every call has to see to it.
local KEPT_ON = 7 * 86400000
local A_DAY = 86400000

local function expiriesOf(step)
  return step.base .. 'ln:x'
end

local function noteExpiry(step, id, expires)
  local key = expiriesOf(step)
  redis.call('ZADD', key, scoreAt(key, expires), id)
  if not step.expiriesUntil then
    step.expiriesUntil = step.now + redis.call('PTTL', key)
  end
  if step.expiriesUntil < expires + KEPT_ON then
    step.expiriesUntil = expires + KEPT_ON + A_DAY
    redis.call('PEXPIREAT', key, string.format('%d', step.expiriesUntil))
  end
end

-- @param limits as in `:30000:60000`: what an attempt may take, and within which time the job has to be started; either
-- may be missing
-- @param from when it may run
local function limitTime(step, id, limits, from)
  local timeout, expiresIn = string.match(limits, '^:(%d*):(%d*)$')
  local job = step.base .. id
  if timeout ~= '' then
    redis.call('HSET', job, 'ln:timeout', timeout)
  end
  if expiresIn ~= '' then
    local expires = from + tonumber(expiresIn)
    redis.call('HSET', job, 'ln:expires', string.format('%d', expires), 'ln:expiresIn', expiresIn)
    noteExpiry(step, id, expires)
  end
end

local function isStarted(starts)
  return (tonumber(starts or nil) or 0) > 0
end

-- Counts the time of a job anew that nobody has started, as it may run at another time.
local function countExpiry(step, id, from)
  local job = step.base .. id
  local fields = redis.call('HMGET', job, 'ln:expires', 'ln:expiresIn', 'ats')
  local expiresIn = fields[1] and tonumber(fields[2] or nil)
  if expiresIn and not isStarted(fields[3]) then
    local expires = from + expiresIn
    redis.call('HSET', job, 'ln:expires', string.format('%d', expires))
    noteExpiry(step, id, expires)
  end
end

-- A job that is leased, so that its lessee fails it. Its record goes to the caller as it was, with what is new behind. If
-- it is run again, its time is not counted any more.
local function expire(job, row)
  redis.call('HSET', job, 'defa', EXPIRED_REASON)
  redis.call('HDEL', job, 'ln:expires')
  local last = #row
  row[last + 1] = 'defa'
  row[last + 2] = EXPIRED_REASON
  row[last + 3] = 'ln:expires'
  row[last + 4] = ''
end

local function forgetExpiries(step, ids)
  redis.call('ZREM', expiriesOf(step), unpack(ids))
end
