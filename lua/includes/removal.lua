--[[
Jobs that are taken out of a queue other than by running them: with all that is kept of them, what their families know
of them, and the deduplication ids that they hold.

@writes job lock wait paused active prioritized delayed completed failed waiting-children stalled de dn
]]
-- @include ready
-- @include jobs
-- @include parents
-- @include schedulers
-- @include expiry
local MOST_REMOVED = 250

-- By their names in events.
local SETS = { 'completed', 'failed', 'delayed', 'prioritized', 'waiting-children' }

-- What removal needs to know of a job; nil for what is none, such as a key of the queue that an id happens to name.
local function readJob(step, id)
  local fields = redis.pcall(
    'HMGET', step.base .. id,
    'timestamp', 'ats', 'finishedOn', 'processedOn', 'parentKey', 'parent', 'rjk', 'deid',
    'ln:expires'
  )
  if fields.err or not (fields[1] or fields[2]) then
    return nil
  end
  return {
    step = step,
    id = id,
    key = step.base .. id,
    timestamp = tonumber(fields[1] or nil),
    finishedOn = tonumber(fields[3] or nil),
    processedOn = tonumber(fields[4] or nil),
    parentKey = fields[5],
    parent = fields[6],
    scheduler = fields[7],
    deduplicationId = fields[8],
    expires = fields[9],
  }
end

local function isLocked(job)
  return job.processedOn ~= nil and redis.call('EXISTS', job.key .. ':lock') == 1
end

-- A scheduler goes on from it, and would end without it.
local function isOutstanding(job)
  return job.scheduler and outstandingDue(job.step, job.scheduler, job.id) ~= nil
end

-- Somebody may have waited for the room.
local function freeRoom(step)
  if step.ceiling and hasReady(step) then
    step.hasNewWork = true
  end
end

local function takeFromActive(step, id)
  if redis.call('LREM', step.active, '-1', id) == 0 then
    return false
  end
  redis.call('SREM', step.base .. 'stalled', id)
  freeRoom(step)
  return true
end

-- Takes a job out of its place.
-- @return the name of the place in events
local function leavePlace(job)
  local step, id = job.step, job.id
  for _, set in ipairs(SETS) do
    if redis.call('ZREM', step.base .. set, id) == 1 then
      return set
    end
  end
  if job.processedOn and takeFromActive(step, id) then
    return 'active'
  end
  for _, list in ipairs({ 'wait', 'paused' }) do
    if redis.call('LREM', step.base .. list, '-1', id) > 0 then
      return list
    end
  end
  return 'unknown'
end

-- An id that somebody else holds by now is theirs.
local function giveUpOnRemoval(job)
  local key = job.step.base .. 'de:' .. job.deduplicationId
  if redis.call('GET', key) == job.id then
    redis.call('DEL', key, job.step.base .. 'dn:' .. job.deduplicationId)
  end
end

local function forgetJob(job)
  if job.deduplicationId then
    giveUpOnRemoval(job)
  end
  deleteRecord(job.key)
  if job.expires then
    forgetExpiries(job.step, { job.id })
  end
  if job.processedOn and not job.finishedOn then
    redis.call('DEL', job.key .. ':lock')
  end
end

local function parentOfJob(job)
  return job.parentKey and parentOf(job.step, job.parentKey, job.parent)
end

-- Forgets jobs that have left their places. A parent in the same queue that waited for them alone goes with them.
local function forgetAll(step, jobs)
  local at = 1
  while jobs[at] do
    local job = jobs[at]
    local parent = parentOfJob(job)
    if parent and parent.step ~= step then
      childRemoved(parent, job.key)
    elseif
      parent
      and isAwaited(parent, job.key)
      and redis.call('EXISTS', parent.key .. ':dependencies') == 0
      and leaveWaitingChildren(parent)
    then
      jobs[#jobs + 1] = readJob(step, parent.id)
    end
    forgetJob(job)
    at = at + 1
  end
end
