--[[
Makes finished jobs ready, of given ids.

@keys base
@args now caller channel sequence notAfter
@each id state lifo resetAttemptsMade resetAttemptsStarted
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
-- @include moving
-- @include retrying
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
for at = 6, #ARGV, 5 do
  local id, state, lifo, resetAttemptsMade, resetAttemptsStarted = unpack(ARGV, at, at + 4)
  local fields = fieldsOf(step, id, unpack(RETRY_FIELDS))
  local refusal = 0
  if not fields then
    refusal = JOB_NOT_FOUND
  elseif redis.call('ZREM', base .. state, id) == 0 then
    refusal = WRONG_STATE
  else
    if resetAttemptsMade == '1' then
      redis.call('HDEL', base .. id, 'atm', 'attemptsMade')
    end
    if resetAttemptsStarted == '1' then
      redis.call('HDEL', base .. id, 'ats')
    end
    retryOne(step, id, fields, state, lifo == '1')
  end
  refusals[#refusals + 1] = refusal
end
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, refusals })
