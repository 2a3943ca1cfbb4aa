--[[
Removes jobs of one state that are old. A parent in the same queue that waited for them alone goes with them.

@keys base
@args now caller channel sequence notAfter state before kept limit
@result status now removed kept more
@refusals none
@events cleaned waiting delayed
@bound 250 jobs that are looked at, and in a list those that are nearer to its front
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include removal
-- @include selection
local now, caller, channel, sequence, notAfter, state, before, kept, limit = unpack(ARGV, 1, 9)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
before = math.floor(tonumber(before))

local function placesOf()
  if state == 'waiting' or (state == 'paused' and step.paused) then
    -- What is in `paused` is older than what is in `wait`.
    return { listPlace(step, 'paused'), listPlace(step, 'wait') }
  end
  if state == 'paused' then
    return {}
  end
  if state == 'active' then
    return { listPlace(step, 'active') }
  end
  local isScored = state == 'completed' or state == 'failed' or state == 'waiting-children'
  return { setPlace(step, state, isScored and before or nil) }
end

local places = placesOf()

local function isMeant(job)
  if places[1].before then
    return true
  end
  local lastRun = state ~= 'prioritized' and job.processedOn or nil
  local time = job.finishedOn or lastRun or job.timestamp
  if time and time > before then
    return false
  end
  return not isOutstanding(job) and not (state == 'active' and isLocked(job))
end

local selection = selectJobs(step, places, tonumber(kept), MOST_REMOVED, tonumber(limit), isMeant)
local removed = {}
for index, job in ipairs(selection.jobs) do
  removed[index] = job.id
end
forgetAll(step, selection.jobs)
if #removed > 0 then
  redis.call('XADD', step.events, '*', 'event', 'cleaned', 'count', #removed)
end
signal(step)
trimEvents(step, sequence)
local more = selection.seen == MOST_REMOVED and 1 or 0
return answer(step, known, { now, removed, selection.kept, more })
