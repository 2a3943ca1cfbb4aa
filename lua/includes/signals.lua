--[[
What wakes the workers that wait: member `0` of the marker for work that may be ready, member `1` for the next
delayed job. Parts of a step note what they did, and the step writes the marker once.

@writes marker
]]
-- @include step
-- @include slots
-- @rare
local function dueTime(step)
  local first = redis.call('ZRANGE', step.delayed, '0', '0', 'WITHSCORES')
  return first[2] and tonumber(first[2]) / SLOTS
end

local function signalWork(step)
  redis.call('ZADD', step.base .. 'marker', '0', '0')
end

-- @rare
local function signalDelayed(step)
  local due = dueTime(step)
  if due then
    redis.call('ZADD', step.base .. 'marker', due, '1')
  end
end

local function signalOne(step)
  if step.hasNewWork and isOpen(step) then
    signalWork(step)
  end
  if step.hasNewDelayed then
    signalDelayed(step)
  end
end

-- Tells of what the step has made ready and held back, in its own queue and in those of parents.
local function signal(step)
  signalOne(step)
  if step.others then
    for _, other in pairs(step.others) do
      signalOne(other)
    end
  end
end
