--[[
Stores payloads in place of those that jobs have, in any state.

@keys base
@args now caller channel sequence notAfter
@each id data
@result status now refusals
@refusals job-not-found
@events none
@bound the updates of the call
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
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
  local id, data = unpack(ARGV, at, at + 1)
  if redis.call('EXISTS', base .. id) == 0 then
    refusals[#refusals + 1] = JOB_NOT_FOUND
  else
    redis.call('HSET', base .. id, 'data', data)
    refusals[#refusals + 1] = 0
  end
end
return answer(step, known, { now, refusals })
