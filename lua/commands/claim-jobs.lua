--[[
Leases the next jobs: all that wait, front first, then by priority.

@keys base
@args now caller channel sequence notAfter count leaseDuration workerName token
@result status now ids idle dueIn records
@refusals none
@events waiting active delayed added duplicated
@bound 200 jobs that came due and 200 that are leased
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include claim
local now, caller, channel, sequence, notAfter, count, leaseDuration, workerName, token = unpack(ARGV, 1, 9)
local base = KEYS[1]
now = timeOf(now)
local recalled, kept = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  local reply = replyAgain(recalled)
  if reply[3] then
    reply[3], reply[6] = leasedStill(base, reply[3], token)
  end
  return reply
end

local step = openStep(base, now)
local ids, rows, idle, dueIn = claim(step, {
  count = tonumber(count),
  leaseDuration = tonumber(leaseDuration),
  workerName = workerName,
  token = token,
})
signal(step)
trimEvents(step)
remember(step, kept, caller, channel, sequence, { now, ids, idle, dueIn }, tonumber(leaseDuration))
return { RAN, now, ids, idle, dueIn, rows }
