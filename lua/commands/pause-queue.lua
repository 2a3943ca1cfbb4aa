--[[
Stops handing out jobs. On a queue that clients of BullMQ 5 use, the jobs that wait move to where those look for them.

@keys base
@args now caller channel sequence notAfter
@result status now changed
@refusals none
@events paused
@bound the jobs that wait, where a client of BullMQ 5 has left some in the list `paused`; else constant
@numbered
]]
-- @include step
-- @include calls
-- @include events
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local changed = 0
if not step.paused then
  introduce(step)
  redis.call('HSET', step.meta, 'paused', '1')
  redis.call('DEL', base .. 'marker')
  redis.call('XADD', step.events, '*', 'event', 'paused')
  trimEvents(step, sequence)
  changed = 1
end
if step.v5 then
  -- Also what a pause by flag has left here, which the `resume` of version 5 would overwrite. What is in the target
  -- already stays next.
  if redis.call('EXISTS', base .. 'paused') == 1 then
    local ids = redis.call('LRANGE', base .. 'wait', '0', '-1')
    for index = #ids, 1, -1 do
      redis.call('LPUSH', base .. 'paused', ids[index])
    end
    redis.call('DEL', base .. 'wait')
  elseif redis.call('EXISTS', base .. 'wait') == 1 then
    redis.call('RENAME', base .. 'wait', base .. 'paused')
  end
end
return answer(step, known, { now, changed })
