--[[
Removes the oldest rows of the logs of jobs, in any state.

@keys base
@args now caller channel sequence notAfter
@each id keep
@result status now refusals
@refusals job-not-found
@events none
@bound the logs of the call, and the rows that are removed
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

-- Under such a key, anything but a list stops the script: before it has changed something.
for at = 6, #ARGV, 2 do
  redis.call('LLEN', base .. ARGV[at] .. ':logs')
end
expectMemory(base, known)
local step = openStep(base, now)
local refusals = {}
for at = 6, #ARGV, 2 do
  local id, keep = unpack(ARGV, at, at + 1)
  local job = base .. id
  if redis.call('EXISTS', job) == 0 then
    refusals[#refusals + 1] = JOB_NOT_FOUND
  else
    refusals[#refusals + 1] = 0
    if keep == '0' then
      redis.call('DEL', job .. ':logs')
    else
      redis.call('LTRIM', job .. ':logs', '-' .. keep, '-1')
    end
  end
end
return answer(step, known, { now, refusals })
