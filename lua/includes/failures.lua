--[[
Outcomes of jobs that did not complete.

@rare
@writes job
]]
-- @include parents
-- @include ready
-- @include delayed
-- @include finishing
-- @include families
-- @include own-retention
-- @include schedulers
local CANCELLED = 'cancelled'

-- Stacktrace and reason, from one text that tells how long the first one is.
local function readFailure(text)
  local size, from = string.match(text, '^(%d+) ()')
  return string.sub(text, from, from + size - 1), string.sub(text, from + size)
end

-- Ends a job as failed.
-- @param made how many attempts it has had with the one that this ends, and its `stacktrace`; nil where it ends none
local function endFailed(step, settlement, job, id, fields, retention, reason, code, prev, made, stacktrace)
  local parent = parentAfter(step, settlement, id, fields)
  if parent then
    childFailed(parent, job, reason)
  end
  if keepFinished(step, settlement, id, step.base .. 'failed', retention) then
    redis.call('HDEL', job, 'defa', 'ln:code', 'ln:cancel', 'ln:unhandled')
    if made then
      redis.call('HSET', job, 'failedReason', reason, 'stacktrace', stacktrace, 'finishedOn', step.nowText, 'atm', made)
    else
      redis.call('HSET', job, 'failedReason', reason, 'finishedOn', step.nowText)
    end
    if code ~= '' then
      redis.call('HSET', job, 'ln:code', code)
    end
  else
    dropFinished(step, job, parent)
  end
  redis.call('XADD', step.events, '*', 'event', 'failed', 'jobId', id, 'failedReason', reason, 'prev', prev)
end

local function attemptsWith(fields)
  return (tonumber(fields[4]) or 0) + 1
end

-- A job whose cancel was requested fails for that.
local function fail(step, settlement, job, id, fields, text, terms)
  local stacktrace, reason = readFailure(text)
  local retention, attempts, code = string.match(terms, '^([^:]*:[^:]*:[^:]*):([^:]*):(.*)$')
  if fields[5] then
    reason, code = fields[5], CANCELLED
  end
  local made = attemptsWith(fields)
  endFailed(step, settlement, job, id, fields, retention, reason, code, 'active', made, stacktrace)
  if made >= tonumber(attempts) then
    redis.call('XADD', step.events, '*', 'event', 'retries-exhausted', 'jobId', id, 'attemptsMade', made)
  end
end

-- Ends a job that would be run again, but for its cancel. One that its scheduler goes on from is left to the next one who
-- claims it, and has its successor planned.
-- @param text the failure of an attempt, or nil
-- @return whether it has ended
local function endCancelled(step, settlement, job, id, fields, text)
  local stored = redis.call('HMGET', job, 'opts', 'rjk')
  if stored[2] and outstandingDue(step, stored[2], id) then
    return false
  end
  local made, stacktrace = nil, nil
  if text then
    made, stacktrace = attemptsWith(fields), (readFailure(text))
  end
  local retention = retentionOnFail(stored[1])
  endFailed(step, settlement, job, id, fields, retention, fields[5], CANCELLED, 'active', made, stacktrace)
  return true
end

local function returnToReady(step, id)
  redis.call('XADD', step.events, '*', 'event', 'waiting', 'jobId', id, 'prev', 'active')
end

local function priorityOf(job)
  return tonumber(redis.call('HGET', job, 'priority')) or 0
end

local function retry(step, job, id, fields, text, terms)
  local stacktrace, reason = readFailure(text)
  local delay, lifo = string.match(terms, '^([^:]*):(%d)$')
  local made = (tonumber(fields[4]) or 0) + 1
  delay = math.ceil(tonumber(delay))
  redis.call('HSET', job, 'failedReason', reason, 'stacktrace', stacktrace, 'atm', made)
  if delay > 0 then
    redis.call('HSET', job, 'delay', delay)
    holdBack(step, id, step.now + delay)
  else
    makeReady(step, id, priorityOf(job), lifo == '1')
    returnToReady(step, id)
  end
end

local function delayUntil(step, job, id, terms)
  local untilText, unhandled = string.match(terms, '^([^:]*):?(.*)$')
  local due = math.max(step.now, math.ceil(tonumber(untilText)))
  redis.call('HSET', job, 'delay', due - step.now)
  if unhandled ~= '' then
    redis.call('HSET', job, 'ln:unhandled', unhandled)
  end
  holdBack(step, id, due)
end

local function handBack(step, job, id)
  local priority = priorityOf(job)
  if priority > 0 then
    putFirstOfPriority(step, id, priority)
  else
    putFirst(step, id)
  end
  returnToReady(step, id)
end
