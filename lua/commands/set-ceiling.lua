--[[
Sets how many jobs may be active at once. An empty text takes that back.

@keys base
@args now caller channel sequence notAfter ceiling
@result status now
@refusals none
@events none
@bound constant
@numbered
]]
-- @include step
-- @include calls
-- @include signals
-- @include ready
local now, caller, channel, sequence, notAfter, ceiling = unpack(ARGV, 1, 6)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
if ceiling == '' then
  redis.call('HDEL', step.meta, 'concurrency')
  step.ceiling = nil
else
  introduce(step)
  redis.call('HSET', step.meta, 'concurrency', ceiling)
  step.ceiling = tonumber(ceiling)
end
step.hasNewWork = hasReady(step)
signal(step)
return answer(step, known, { now })
