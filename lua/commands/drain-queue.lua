--[[
Removes what waits to be run, but for the jobs that schedulers go on from. A parent in the same queue that waited for
them alone goes with them.

@keys base
@args now caller channel sequence notAfter delayed kept
@result status now removed kept more
@refusals none
@events waiting delayed
@bound 250 jobs that are looked at
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include removal
-- @include selection
local now, caller, channel, sequence, notAfter, delayed, kept = unpack(ARGV, 1, 7)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local places = { listPlace(step, 'paused'), listPlace(step, 'wait'), setPlace(step, 'prioritized') }
if delayed == '1' then
  places[#places + 1] = setPlace(step, 'delayed')
end

local function isMeant(job)
  return not isOutstanding(job)
end

local selection = selectJobs(step, places, tonumber(kept), MOST_REMOVED, math.huge, isMeant)
local removed = #selection.jobs
forgetAll(step, selection.jobs)
signal(step)
trimEvents(step, sequence)
local more = selection.seen == MOST_REMOVED and 1 or 0
return answer(step, known, { now, removed, selection.kept, more })
