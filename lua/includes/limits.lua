--[[
Rates at which jobs may be claimed. What was claimed is counted in one window for all, which its first job begins.

@rare
@writes limiter ln:h
]]
-- @include step
local BY_HAND = 9007199254740991
local HELD_FOR = 60000

-- Milliseconds that are left of the present window; none or less without one. The key goes by the server's time, and a
-- caller may have a clock of its own: what is left belongs to the millisecond in which it was asked.
local function leftOf(step)
  local asked, left
  repeat
    asked = timeOf('')
    left = redis.call('PTTL', step.base .. 'limiter')
  until left <= 0 or timeOf('') == asked
  local byClock = left + asked - step.now
  return left > 0 and byClock > 0 and math.min(left, byClock) or left
end

-- How many jobs the present window has counted, if what is stored is such a number.
local function countedIn(text)
  local counted = type(text) == 'string' and string.match(text, '^%-?%d+$') and tonumber(text)
  return counted and counted <= BY_HAND and counted or nil
end

-- How many jobs the rate of a claim lets through, and how long it lets none through. The number of the queue comes before
-- that of the worker, the window of the worker before that of the queue. A window begins with one job at least; one that
-- has no end, or that nobody can count in, is none.
local function permitsOf(step, request)
  local ownMax, ownDuration = string.match(request.limiter, '^([^:]*):(.*)$')
  local max = step.max or numberIn(ownMax)
  request.window = max and (numberIn(ownDuration) or step.duration)
  local most = max or BY_HAND
  local limiter = step.base .. 'limiter'
  local stored = redis.pcall('GET', limiter)
  local counted = countedIn(stored)
  if not counted or counted >= most then
    local left = counted and leftOf(step) or 0
    if left > 0 then
      return 0, left
    end
    if stored then
      redis.call('DEL', limiter)
    end
    counted = 0
  end
  return request.window and math.max(1, math.ceil(most - counted)) or math.huge, 0
end

local function countPermits(step, window, used)
  local limiter = step.base .. 'limiter'
  if redis.call('INCRBY', limiter, textOf(step, used)) == used then
    redis.call('PEXPIREAT', limiter, endOf(step, math.floor(math.abs(window))))
  end
end

-- Notes whose claim was held back, who is to be told when the limit is lifted before its end.
local function noteHeldBack(step, caller, left)
  local held = step.base .. 'ln:h'
  local outdated = redis.call('ZRANGEBYSCORE', held, '-inf', step.nowText, 'LIMIT', '0', '10')
  if #outdated > 0 then
    redis.call('ZREM', held, unpack(outdated))
  end
  local over = endOf(step, left + HELD_FOR)
  redis.call('ZADD', held, over, caller)
  redis.call('PEXPIREAT', held, over)
end
