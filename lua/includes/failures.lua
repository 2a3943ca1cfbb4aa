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

-- Stacktrace and reason, from one text that tells how long the first one is.
local function readFailure(text)
  local size, from = string.match(text, '^(%d+) ()')
  return string.sub(text, from, from + size - 1), string.sub(text, from + size)
end

local function fail(step, settlement, job, id, fields, text, terms)
  local stacktrace, reason = readFailure(text)
  local retention, attempts, code = string.match(terms, '^([^:]*:[^:]*:[^:]*):([^:]*):(.*)$')
  local parent = parentAfter(step, settlement, id, fields)
  if parent then
    childFailed(parent, job, reason)
  end
  local made = (tonumber(fields[4]) or 0) + 1
  if keepFinished(step, settlement, id, step.base .. 'failed', retention) then
    redis.call('HDEL', job, 'defa', 'ln:code')
    redis.call('HSET', job, 'failedReason', reason, 'stacktrace', stacktrace, 'finishedOn', step.nowText, 'atm', made)
    if code ~= '' then
      redis.call('HSET', job, 'ln:code', code)
    end
  else
    dropFinished(step, job, parent)
  end
  redis.call('XADD', step.events, '*', 'event', 'failed', 'jobId', id, 'failedReason', reason, 'prev', 'active')
  if made >= tonumber(attempts) then
    redis.call('XADD', step.events, '*', 'event', 'retries-exhausted', 'jobId', id, 'attemptsMade', made)
  end
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

local function delayUntil(step, job, id, untilText)
  local due = math.max(step.now, math.ceil(tonumber(untilText)))
  redis.call('HSET', job, 'delay', due - step.now)
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
