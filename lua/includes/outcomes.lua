--[[
Outcomes of leased jobs, one after the other.

@writes job
]]
-- @include step
-- @include refusals
-- @include finishing
-- @include families
-- @include parents
-- @include failures
local function complete(step, settlement, job, id, fields, returnValue, retention)
  local parent = (fields[2] or fields[3]) and parentAfter(step, settlement, id, fields)
  if parent then
    childCompleted(parent, job, returnValue)
  end
  if keepFinished(step, settlement, id, step.base .. 'completed', retention) then
    local made = fields[4] and textOf(step, (tonumber(fields[4]) or 0) + 1) or '1'
    redis.call('HSET', job, 'returnvalue', returnValue, 'finishedOn', step.nowText, 'atm', made)
    if fields[5] then
      redis.call('HDEL', job, 'ln:cancel')
    end
  else
    dropFinished(step, job, parent)
  end
  redis.call('XADD', step.events, '*', 'event', 'completed', 'jobId', id, 'returnvalue', returnValue, 'prev', 'active')
end

-- The locks are read before the first outcome, and one of those that came before may have ended the lease.
-- @rare
local function wasSettled(settlement, place)
  local lockKeys = settlement.lockKeys
  for earlier = 1, place - 1 do
    if lockKeys[earlier] == lockKeys[place] and not settlement.refused[earlier] then
      return true
    end
  end
  return false
end

-- A job that is not leased may be one that the retention of an earlier outcome does not keep, which is yet to be
-- written.
-- @rare
local function notLeased(step, settlement, job)
  writeFinished(step, settlement)
  return redis.call('EXISTS', job) == 0 and JOB_NOT_FOUND or LEASE_MISSING
end

-- @return a refusal, or nil for done
local function settle(step, settlement, place, id, text, terms)
  local job, kind = settlement.jobs[place], terms.kind
  -- Whoever adds jobs writes their names first, where they are found at once.
  local fields = redis.call('HMGET', job, 'name', 'parentKey', 'deid', 'atm', 'ln:cancel')
  if not fields[1] and redis.call('EXISTS', job) == 0 then
    return JOB_NOT_FOUND
  end
  local lock = settlement.locks[place]
  if lock ~= terms.token then
    if lock and not wasSettled(settlement, place) then
      return LEASE_MISMATCH
    end
    return notLeased(step, settlement, job)
  end
  if kind == 'completed' and settlement.hasRare then
    local refusal = childrenRefusal(job)
    if refusal then
      return refusal
    end
  end
  if not leaveActive(step, settlement, job, id) then
    return notLeased(step, settlement, job)
  end
  if kind == 'completed' then
    complete(step, settlement, job, id, fields, text, terms.text)
    settlement.hasFinished = true
  elseif kind == 'failed' then
    fail(step, settlement, job, id, fields, text, terms.text)
    settlement.hasFinished = true
  elseif fields[5] and endCancelled(step, settlement, job, id, fields, kind == 'retry' and text or nil) then
    settlement.hasFinished = true
    settlement.cancelled = settlement.cancelled + 1
    settlement.heedsHand = settlement.heedsHand or (kind == 'handed-back' and terms.text == 'limited')
  elseif kind == 'retry' then
    retry(step, job, id, fields, text, terms.text)
  elseif kind == 'delayed' then
    delayUntil(step, job, id, terms.text)
  else
    handBack(step, job, id)
    settlement.heedsHand = settlement.heedsHand or terms.text == 'limited'
  end
  return nil
end
