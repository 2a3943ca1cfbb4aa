--[[
Leases the next jobs: all that wait, front first, then by priority.

@keys base
@args now caller channel sequence notAfter count leaseDuration workerName token mark limiter
@result status now ids idle dueIn records; ids is a text with the mark between any two, records is JSON
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
-- @include replays
local now, caller, channel, sequence, notAfter, count, leaseDuration, workerName, token, mark, limiter =
  unpack(ARGV, 1, 11)
local base = KEYS[1]
now = timeOf(now)
local request = requestOf(caller, count, leaseDuration, workerName, token, mark, limiter)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  local reply = replyAgain(recalled)
  if reply[3] then
    reply[3], reply[6] = leasedStill(openStep(base, now), reply[3], request)
  end
  return reply
end

expectMemory(base, caller, channel)
local step = openStep(base, now)
local ids, rows, idle, dueIn = claim(step, request)
signal(step)
trimEvents(step, sequence)
remember(step, known, { now, ids, idle, dueIn }, request.leaseDuration)
return { RAN, now, ids, idle, dueIn, rows }
