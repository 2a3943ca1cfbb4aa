--[[
Makes finished jobs ready, those that ended first before the others. Scores of finished jobs are times, with places
behind the point.

@keys base
@args now caller channel sequence notAfter state count highest
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
-- @include moving
-- @include retrying
local now, caller, channel, sequence, notAfter, state, count, highest = unpack(ARGV, 1, 8)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local ids, more = takeFirst(base .. state, count, highest)
local moved = 0
for _, id in ipairs(ids) do
  local fields = fieldsOf(step, id, unpack(RETRY_FIELDS))
  if fields then
    retryOne(step, id, fields, state, false)
    moved = moved + 1
  end
end
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, moved, more })
