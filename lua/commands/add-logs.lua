--[[
Writes rows behind those that jobs have, in any state.

@keys base
@args now caller channel sequence notAfter
@each id row keep
@result status now refusals counts
@refusals job-not-found
@events none
@bound the rows of the call, and those that are removed
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
for at = 6, #ARGV, 3 do
  redis.call('LLEN', base .. ARGV[at] .. ':logs')
end
local step = openStep(base, now)
local refusals, counts = {}, {}
for at = 6, #ARGV, 3 do
  local id, row, keep = unpack(ARGV, at, at + 2)
  local job, count = base .. id, 0
  if redis.call('EXISTS', job) == 0 then
    refusals[#refusals + 1] = JOB_NOT_FOUND
  else
    local logs = job .. ':logs'
    refusals[#refusals + 1] = 0
    count = redis.call('RPUSH', logs, row)
    if keep ~= '' and count > tonumber(keep) then
      redis.call('LTRIM', logs, '-' .. keep, '-1')
      count = tonumber(keep)
    end
  end
  counts[#counts + 1] = count
end
return answer(step, known, { now, refusals, counts })
