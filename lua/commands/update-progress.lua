--[[
Stores what jobs tell of their progress, in any state.

@keys base
@args now caller channel sequence notAfter
@each id progress
@result status now refusals
@refusals job-not-found
@events progress
@bound the updates of the call
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
-- @include events
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
local refusals = {}
for at = 6, #ARGV, 2 do
  local id, progress = unpack(ARGV, at, at + 1)
  local job = base .. id
  if redis.call('EXISTS', job) == 0 then
    refusals[#refusals + 1] = JOB_NOT_FOUND
  else
    redis.call('HSET', job, 'progress', progress)
    redis.call('XADD', step.events, '*', 'event', 'progress', 'jobId', id, 'data', progress)
    refusals[#refusals + 1] = 0
  end
end
trimEvents(step, sequence)
return answer(step, known, { now, refusals })
