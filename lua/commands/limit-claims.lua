--[[
Lets no jobs through for so many milliseconds, where claims go by a rate. An empty text ends the present window.

@keys base
@args now caller channel sequence notAfter duration
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
local now, caller, channel, sequence, notAfter, duration = unpack(ARGV, 1, 6)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
if duration == '' then
  redis.call('DEL', base .. 'limiter')
  wakeHeldBack(step)
  step.hasNewWork = hasReady(step)
  signal(step)
else
  redis.call('SET', base .. 'limiter', '9007199254740991', 'PXAT', endOf(step, tonumber(duration)))
end
return answer(step, known, { now })
