--[[
Leases the next jobs: all that wait, front first, then by priority.

@keys base
@args now caller channel sequence notAfter count leaseDuration workerName token mark limiter
@result numbers ids records; numbers is a text, with blanks between: status now idle dueIn; ids is a text with the
  mark between any two, records is JSON, and both may be missing or empty
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
-- @include records
-- @include replays
local now, caller, channel, sequence, notAfter, count, leaseDuration, workerName, token, mark, limiter =
  unpack(ARGV, 1, 11)
local base = KEYS[1]
now = timeOf(now)
local request = requestOf(caller, count, leaseDuration, workerName, token, mark, limiter)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return claimAgain(base, now, recalled, request)
end

expectMemory(base, known)
local step = openStep(base, now)
local ids, rows, idle, dueIn = claim(step, request)
signal(step)
trimEvents(step, sequence)
return answerClaim(step, known, request, step.nowText .. ' ' .. idle .. ' ' .. dueIn, ids, rows)
