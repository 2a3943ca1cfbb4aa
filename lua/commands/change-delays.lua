--[[
Holds delayed jobs back until another time, which is counted from now.

@keys base
@args now caller channel sequence notAfter
@each id delay
@result status now refusals
@refusals job-not-found wrong-state
@events delayed
@bound the jobs of the call
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
-- @include events
-- @include signals
-- @include delayed
-- @include expiry
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
local refusals = {}
for at = 6, #ARGV, 2 do
  local id, delay = unpack(ARGV, at, at + 1)
  local refusal = 0
  local fields = fieldsOf(step, id, 'ln:expiresIn')
  if not fields then
    refusal = JOB_NOT_FOUND
  elseif not redis.call('ZSCORE', step.delayed, id) then
    refusal = WRONG_STATE
  else
    delay = math.ceil(tonumber(delay))
    redis.call('HSET', base .. id, 'delay', delay)
    holdBack(step, id, now + delay)
    if fields[2] then
      countExpiry(step, id, now + delay)
    end
  end
  refusals[#refusals + 1] = refusal
end
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, refusals })
