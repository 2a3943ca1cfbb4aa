--[[
Finished jobs that are run again.

@writes dependencies processed failed unsuccessful
]]
-- @include ready
-- @include parents
local OUTCOME_FIELDS = { completed = { 'returnvalue', 'ln:cancel' }, failed = { 'failedReason', 'ln:code', 'ln:cancel' } }

-- What retryOne needs to know of a job.
local RETRY_FIELDS = { 'priority', 'parentKey', 'parent' }

-- A parent awaits a child again that it has noted the end of. One that waits no longer is not called back.
local function giveBack(parent, child, state)
  local key = parent.key
  if redis.call('EXISTS', key) == 0 then
    return
  end
  local noted
  if state == 'completed' then
    noted = redis.call('HDEL', key .. ':processed', child)
  else
    noted = redis.call('ZREM', key .. ':unsuccessful', child) + redis.call('HDEL', key .. ':failed', child)
  end
  if noted > 0 then
    redis.call('SADD', key .. ':dependencies', child)
  end
end

-- Makes a job ready that was taken out of its place.
-- @param fields those of RETRY_FIELDS, behind another one
local function retryOne(step, id, fields, state, isFirst)
  local job = step.base .. id
  redis.call('HDEL', job, 'ln:expires', 'ln:unhandled', 'processedOn', 'finishedOn', unpack(OUTCOME_FIELDS[state]))
  local parent = fields[3] and parentOf(step, fields[3], fields[4])
  if parent then
    giveBack(parent, job, state)
  end
  makeReady(step, id, tonumber(fields[2]) or 0, isFirst)
  redis.call('XADD', step.events, '*', 'event', 'waiting', 'jobId', id, 'prev', state)
end
