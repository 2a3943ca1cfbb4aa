--[[
The limit of how many jobs a queue hands out in a time.

@rare
@writes limiter
]]
-- @include step
-- How many jobs the limit of the queue lets through, and how long it lets none through.
local function permitsOf(step)
  local limiter = step.base .. 'limiter'
  local used = tonumber(redis.call('GET', limiter) or 0)
  if used < step.max then
    return step.max - used, 0
  end
  local left = redis.call('PTTL', limiter)
  if left > 0 then
    return 0, left
  end
  if left == 0 then
    redis.call('DEL', limiter)
    return step.max, 0
  end
  return math.huge, 0
end

local function countPermits(step, used)
  local limiter = step.base .. 'limiter'
  if redis.call('INCRBY', limiter, used) == used and step.duration then
    redis.call('PEXPIREAT', limiter, endOf(step, math.floor(math.abs(step.duration))))
  end
end
