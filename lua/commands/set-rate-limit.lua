--[[
Sets how many jobs may be claimed in a window of so many milliseconds. Empty texts take that back.

@keys base
@args now caller channel sequence notAfter max duration
@result status now
@refusals none
@events none
@bound those who wait for the end of a limit
@numbered
]]
-- @include step
-- @include calls
-- @include signals
-- @include ready
-- @include lifting
local now, caller, channel, sequence, notAfter, max, duration = unpack(ARGV, 1, 7)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
if max == '' then
  redis.call('HDEL', step.meta, 'max', 'duration')
else
  introduce(step)
  redis.call('HSET', step.meta, 'max', max, 'duration', duration)
end
wakeHeldBack(step)
step.hasNewWork = hasReady(step)
signal(step)
return answer(step, known, { now })
