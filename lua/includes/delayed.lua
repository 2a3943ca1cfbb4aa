--[[
Jobs that are held back. Scores have twelve bits below the millisecond, which keep the order of adding.

@writes delayed
]]
-- @include promotion
local SLOTS = 4096
local MAX_PROMOTED = '200'

-- The lowest free place of a millisecond, or its last one.
local function delayedScore(step, due)
  local lowest = due * SLOTS
  local highest = lowest + SLOTS - 1
  local last =
    redis.call('ZREVRANGEBYSCORE', step.delayed, highest, lowest, 'WITHSCORES', 'LIMIT', '0', '1')
  if last[2] then
    return math.min(tonumber(last[2]) + 1, highest)
  end
  return lowest
end

local function holdBack(step, id, due)
  redis.call('ZADD', step.delayed, delayedScore(step, due), id)
  redis.call('XADD', step.events, '*', 'event', 'delayed', 'jobId', id, 'delay', due)
  step.hasNewDelayed = true
end

-- Makes jobs ready whose time has come.
local function promoteDue(step)
  local latest = string.format('%d', (step.now + 1) * SLOTS - 1)
  local due = redis.call('ZRANGEBYSCORE', step.delayed, '-inf', latest, 'LIMIT', '0', MAX_PROMOTED)
  if #due > 0 then
    redis.call('ZREM', step.delayed, unpack(due))
    promote(step, due)
  end
end
