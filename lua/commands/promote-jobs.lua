--[[
Makes delayed jobs ready, of given ids.

@keys base
@args now caller channel sequence notAfter
@each id
@result status now refusals
@refusals job-not-found wrong-state
@events waiting
@bound the jobs of the call
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
-- @include events
-- @include signals
-- @include promotion
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
local refusals, ids = {}, {}
for at = 6, #ARGV, 1 do
  local id = ARGV[at]
  local refusal = 0
  if not fieldsOf(step, id) then
    refusal = JOB_NOT_FOUND
  elseif redis.call('ZREM', step.delayed, id) == 0 then
    refusal = WRONG_STATE
  else
    ids[#ids + 1] = id
  end
  refusals[#refusals + 1] = refusal
end
promote(step, ids, true)
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, refusals })
