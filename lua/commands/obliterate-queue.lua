--[[
Removes everything of a paused queue, last of all its events and what it knows of itself. What stays are the reply slots
and inboxes of callers, which expire.

@keys base
@args now caller channel sequence notAfter force limit
@result status now refusal removed more
@refusals queue-not-paused queue-active
@events waiting delayed
@bound as many jobs as the call says
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
-- @include signals
-- @include removal
-- @include selection
local now, caller, channel, sequence, notAfter, force, limit = unpack(ARGV, 1, 7)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
local refusal = 0
if not step.paused then
  refusal = QUEUE_NOT_PAUSED
elseif force ~= '1' and redis.call('EXISTS', step.active) == 1 then
  refusal = QUEUE_ACTIVE
end
if refusal ~= 0 then
  return answer(step, known, { now, refusal, 0, 0 })
end

expectMemory(base, known)
local most = tonumber(limit)

local function doomed(place)
  place.isDoomed = true
  return place
end

local function isMeant()
  return true
end

-- An id that nobody else will give up goes as well.
local function forgetOwner(job)
  if job.deduplicationId then
    local key = base .. 'de:' .. job.deduplicationId
    local owner = redis.call('GET', key)
    if not owner or redis.call('EXISTS', base .. owner) == 0 then
      redis.call('DEL', key, base .. 'dn:' .. job.deduplicationId)
    end
  end
end

local function removeSchedulers(count)
  local index = base .. 'repeat'
  local schedulers = redis.call('ZRANGE', index, '0', count - 1)
  for _, scheduler in ipairs(schedulers) do
    redis.call('DEL', index .. ':' .. scheduler)
    redis.call('ZREM', index, scheduler)
  end
  return #schedulers
end

local places = {
  doomed(listPlace(step, 'active')),
  doomed(setPlace(step, 'delayed')),
  doomed(setPlace(step, 'completed')),
  doomed(listPlace(step, 'paused')),
  doomed(listPlace(step, 'wait')),
  doomed(setPlace(step, 'prioritized')),
  doomed(setPlace(step, 'failed')),
  doomed(setPlace(step, 'waiting-children')),
}
local seen = removeSchedulers(most)
local removed = 0
if seen < most then
  local selection = selectJobs(step, places, 0, most - seen, math.huge, isMeant)
  seen = seen + selection.seen
  removed = #selection.jobs
  forgetAll(step, selection.jobs)
  for _, job in ipairs(selection.jobs) do
    forgetOwner(job)
  end
end

local more = seen == most and 1 or 0
if more == 0 then
  redis.call(
    'DEL', step.meta, step.events,
    base .. 'delay', base .. 'id', base .. 'limiter', base .. 'marker', base .. 'pc', base .. 'priority',
    base .. 'stalled', base .. 'stalled-check', base .. 'ln:x',
    base .. 'metrics:completed', base .. 'metrics:completed:data',
    base .. 'metrics:failed', base .. 'metrics:failed:data'
  )
  step.hasNewVersion5 = false
end
signal(step)
return answer(step, known, { now, 0, removed, more })
