--[[
Gives jobs another priority, in any state. Those that are ready move among those of that priority.

@keys base
@args now caller channel sequence notAfter
@each id priority lifo
@result status now refusals
@refusals job-not-found
@events none
@bound the jobs of the call, and for each the active and the waiting ones
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
-- @include events
-- @include signals
-- @include ready
-- @include states
-- @include moving
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
-- Looking for a job among all that wait is slow, so that it is known before to be nowhere else.
local function leaveReady(id, processedOn)
  local state = stateOf(step, id, processedOn)
  if state == 'prioritized' then
    return redis.call('ZREM', step.prioritized, id) == 1
  end
  if state ~= 'waiting' then
    return false
  end
  return redis.call('LREM', base .. 'wait', '-1', id) + redis.call('LREM', base .. 'paused', '-1', id) > 0
end

local refusals = {}
for at = 6, #ARGV, 3 do
  local id, priority, lifo = unpack(ARGV, at, at + 2)
  local fields = fieldsOf(step, id, 'processedOn')
  if fields then
    if leaveReady(id, fields[2]) then
      if priority ~= '0' and lifo == '1' then
        putFirstOfPriority(step, id, tonumber(priority))
      else
        makeReady(step, id, tonumber(priority), lifo == '1')
      end
    end
    redis.call('HSET', base .. id, 'priority', priority)
  end
  refusals[#refusals + 1] = fields and 0 or JOB_NOT_FOUND
end
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, refusals })
