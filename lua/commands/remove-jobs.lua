--[[
Removes jobs, each with the jobs below it if that is wanted.

@keys base
@args now caller channel sequence notAfter
@each id removeChildren
@result status now refusals unfinished
@refusals job-not-found outstanding-iteration job-leased
@events removed waiting delayed
@bound the jobs of the call, those that wait for each of them that waits, and 250 jobs below them
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
-- @include events
-- @include signals
-- @include parents
-- @include removal
-- @include descendants
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
-- What the whole call has looked at below its jobs.
local seen = 0

local function remove(job)
  local place = leavePlace(job)
  forgetJob(job)
  redis.call('XADD', job.step.events, '*', 'event', 'removed', 'jobId', job.id, 'prev', place)
end

-- A child whose parent is not removed with it is missed by somebody.
local function removeMember(family, job)
  local parent = parentOfJob(job)
  if parent and not family.known[parent.key] then
    childRemoved(parent, job.key)
  end
  remove(job)
end

-- @return a refusal or 0, and whether the job is there still
local function removeOne(id, removeChildren)
  local job = readJob(step, id)
  if not job then
    return JOB_NOT_FOUND, false
  end
  if isOutstanding(job) then
    return OUTSTANDING_ITERATION, false
  end
  local family = { known = { [job.key] = true }, links = {}, seen = seen, hasLocked = isLocked(job) }
  local isWhole = removeChildren == '0' or gatherChildren(family, job)
  if family.hasLocked then
    return JOB_LEASED, false
  end
  seen = family.seen
  for _, link in ipairs(family.links) do
    if not isWhole then
      unlink(link)
    end
    if link.child then
      removeMember(family, link.child)
    end
  end
  if isWhole then
    removeMember(family, job)
  end
  return 0, not isWhole
end

local refusals, unfinished = {}, {}
for at = 6, #ARGV, 2 do
  local id, removeChildren = unpack(ARGV, at, at + 1)
  local refusal, isUnfinished = removeOne(id, removeChildren)
  refusals[#refusals + 1] = refusal
  if isUnfinished then
    unfinished[#unfinished + 1] = #refusals
  end
end
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, refusals, unfinished })
