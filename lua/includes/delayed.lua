--[[
Jobs that are held back.

@writes delayed
]]
-- @include slots
-- @include promotion
local MAX_PROMOTED = '200'

local function holdBack(step, id, due)
  redis.call('ZADD', step.delayed, scoreAt(step.delayed, due), id)
  redis.call('XADD', step.events, '*', 'event', 'delayed', 'jobId', id, 'delay', due)
  step.hasNewDelayed = true
end

-- Makes jobs ready whose time has come.
local function promoteDue(step)
  if step.hasNoDelayed and not step.hasNewDelayed then
    return
  end
  local due = redis.call('ZRANGEBYSCORE', step.delayed, '-inf', lastScoreOf(step.now), 'LIMIT', '0', MAX_PROMOTED)
  if #due > 0 then
    redis.call('ZREM', step.delayed, unpack(due))
    promote(step, due)
  end
end
