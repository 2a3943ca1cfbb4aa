--[[
Removes those of the given jobs that are in no state. A parent is told as of any job that is removed.

@keys base
@args now caller channel sequence notAfter
@each id
@result status now removed checked
@refusals none
@events waiting delayed
@bound the jobs of the call, and half a million ids that are in lists, or the lists once
@numbered
]]
-- @include step
-- @include calls
-- @include signals
-- @include parents
-- @include removal
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local MAX_SEARCHED = 500000

local LISTS = { 'active', 'wait', 'paused' }
local inLists = 0
for _, name in ipairs(LISTS) do
  inLists = inLists + redis.call('LLEN', base .. name)
end

local function isPlaced(id)
  for _, name in ipairs(SETS) do
    if redis.call('ZSCORE', base .. name, id) then
      return true
    end
  end
  for _, name in ipairs(LISTS) do
    if redis.call('LPOS', base .. name, id) then
      return true
    end
  end
  return false
end

local removed, checked, searched = {}, 0, 0
for at = 6, #ARGV, 1 do
  local id = ARGV[at]
  if checked > 0 and searched + inLists > MAX_SEARCHED then
    break
  end
  checked = checked + 1
  local job = readJob(step, id)
  if job and not isLocked(job) then
    searched = searched + inLists
    if not isPlaced(id) then
      local parent = parentOfJob(job)
      if parent then
        childRemoved(parent, job.key)
      end
      forgetJob(job)
      removed[#removed + 1] = id
    end
  end
end
signal(step)
return answer(step, known, { now, removed, checked })
