--[[
Makes delayed jobs ready, whatever their time, those that are due first before the others.

@keys base
@args now caller channel sequence notAfter count
@result status now moved more
@refusals none
@events waiting
@bound the jobs that are moved, as many as the call allows
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include promotion
-- @include moving
local now, caller, channel, sequence, notAfter, count = unpack(ARGV, 1, 6)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local ids, more = takeFirst(step.delayed, count, '+inf')
local moved = promote(step, ids, true)
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, moved, more })
