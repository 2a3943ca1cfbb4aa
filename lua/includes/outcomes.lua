--[[
Outcomes of leased jobs. What touches single keys of a queue is gathered and written once for all outcomes; whatever
looks at it first has it written.

@writes lock active stalled completed failed
]]
-- @include step
-- @include jobs
-- @include parents
-- @include ready
-- @include delayed
-- @include deduplication
-- @include retention
local DONE = 0
local JOB_NOT_FOUND = -1
local LEASE_MISSING = -2
local PENDING_CHILDREN = -4
local LEASE_MISMATCH = -6
local FAILED_CHILDREN = -9

-- In a list that is longer than this it matters from which side a job is looked for. Those that were claimed a second
-- ago at most are near the head, where they were put.
local LONG = 500
local RECENT = 1000

-- Finished jobs stay in the order of finishing, also within a millisecond and when the clock goes back: a score is a
-- time with a place behind the point. The places are as fine as scores of this size can be, rounded up a little.
local PLACES = 4000

local function newSettlement()
  return { settled = {}, unlocked = {}, ids = {}, scored = {}, finishes = 0, highest = {} }
end

local function finishScore(step, settlement, set)
  local last = settlement.highest[set]
  if not last then
    local highest = tonumber(redis.call('ZREVRANGE', set, 0, 0, 'WITHSCORES')[2] or 0)
    last = { time = math.floor(highest) }
    last.place = math.floor((highest - last.time) * PLACES + 0.5)
    settlement.highest[set] = last
  end
  if last.time < step.now then
    last.time, last.place = step.now, 0
    return step.nowText
  end
  last.place = last.place + 1
  if last.place >= PLACES then
    last.time, last.place = last.time + 1, 0
  end
  return string.format('%.0f.%05d', last.time, last.place * (100000 / PLACES))
end

local function writeFinished(step, settlement)
  if settlement.finishes == 0 then
    return
  end
  redis.call('ZADD', settlement.set, unpack(settlement.scored))
  if settlement.terms.age or settlement.terms.count > 0 then
    removeSurplus(step, settlement.set, settlement.terms, settlement.finishes)
  end
  settlement.scored = {}
  settlement.finishes = 0
end

-- Ends what is left of the leases. Has to come before a claim, which may lease the same jobs again.
local function writeSettlement(step, settlement)
  writeFinished(step, settlement)
  if #settlement.unlocked > 0 then
    redis.call('DEL', unpack(settlement.unlocked))
    redis.call('SREM', step.base .. 'stalled', unpack(settlement.ids))
  end
end

local function termsOf(text)
  local count, age, limit = string.match(text, '^(-?%d+):([%d.]*):(%d+)')
  return { count = tonumber(count), age = tonumber(age), limit = tonumber(limit), text = text }
end

-- Where a finished job goes to, and when.
local function keepFinished(step, settlement, id, set, termsText)
  if settlement.finishes > 0 and (settlement.set ~= set or settlement.termsText ~= termsText) then
    writeFinished(step, settlement)
  end
  if settlement.termsText ~= termsText then
    settlement.termsText = termsText
    settlement.terms = termsOf(termsText)
  end
  settlement.set = set
  if settlement.terms.count == 0 then
    return false
  end
  local scored = settlement.scored
  scored[#scored + 1] = finishScore(step, settlement, set)
  scored[#scored + 1] = id
  settlement.finishes = settlement.finishes + 1
  return true
end

-- What a job that ends without being kept leaves behind.
local function dropFinished(step, job, parent)
  if parent then
    childRemoved(parent, job)
  end
  deleteRecord(job)
end

-- What the end of a job does to others: the owner of a deduplication id, a parent.
local function parentAfter(step, settlement, id, fields)
  if fields[3] then
    finishDeduplication(step, id, fields[3])
  end
  if fields[2] then
    writeFinished(step, settlement)
    return parentOf(step, fields[2], redis.call('HGET', step.base .. id, 'parent'))
  end
  return nil
end

local function complete(step, settlement, job, id, fields, returnValue, retention)
  local parent = parentAfter(step, settlement, id, fields)
  if parent then
    childCompleted(parent, job, returnValue)
  end
  if keepFinished(step, settlement, id, step.base .. 'completed', retention) then
    local made = textOf(step, (fields[4] or 0) + 1)
    redis.call('HSET', job, 'returnvalue', returnValue, 'finishedOn', step.nowText, 'atm', made)
  else
    dropFinished(step, job, parent)
  end
  redis.call('XADD', step.events, '*', 'event', 'completed', 'jobId', id, 'returnvalue', returnValue, 'prev', 'active')
end

local function fail(step, settlement, job, id, fields, reason, stacktrace, terms)
  local retention, attempts, code = string.match(terms, '^([^:]*:[^:]*:[^:]*):([^:]*):(.*)$')
  local parent = parentAfter(step, settlement, id, fields)
  if parent then
    childFailed(parent, job, reason)
  end
  local made = (fields[4] or 0) + 1
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
  return tonumber(redis.call('HGET', job, 'priority') or 0)
end

local function retry(step, job, id, fields, reason, stacktrace, terms)
  local delay, lifo = string.match(terms, '^([%d.]+):(%d)$')
  local made = (fields[4] or 0) + 1
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

local function handBack(step, job, id)
  local priority = priorityOf(job)
  if priority > 0 then
    putFirstOfPriority(step, id, priority)
  else
    putFirst(step, id)
  end
  returnToReady(step, id)
end

-- Takes a job out of `active`, looking first where it is likely to be.
local function leaveActive(step, settlement, job, id)
  if settlement.isActiveLong and step.now - (redis.call('HGET', job, 'processedOn') or 0) > RECENT then
    return redis.call('LREM', step.active, '-1', id) == 1
  end
  return redis.call('LREM', step.active, '1', id) == 1
end

local function childrenRefusal(job)
  if redis.call('EXISTS', job .. ':dependencies') == 1 then
    return PENDING_CHILDREN
  end
  if redis.call('EXISTS', job .. ':unsuccessful') == 1 then
    return FAILED_CHILDREN
  end
  return nil
end

local function settle(step, settlement, lockKey, lock, kind, id, token, text, stacktrace, terms)
  local job = step.base .. id
  if settlement.settled[id] then
    lock = false
  end
  local fields = redis.call('HMGET', job, 'ats', 'parentKey', 'deid', 'atm')
  if not fields[1] and redis.call('EXISTS', job) == 0 then
    return JOB_NOT_FOUND
  end
  if lock ~= token then
    return lock and LEASE_MISMATCH or LEASE_MISSING
  end
  if kind == 'completed' and settlement.mayHaveChildren then
    local refusal = childrenRefusal(job)
    if refusal then
      return refusal
    end
  end
  if not leaveActive(step, settlement, job, id) then
    return LEASE_MISSING
  end
  settlement.settled[id] = true
  settlement.unlocked[#settlement.unlocked + 1] = lockKey
  settlement.ids[#settlement.ids + 1] = id
  if kind == 'completed' then
    complete(step, settlement, job, id, fields, text, terms)
    settlement.hasFinished = true
  elseif kind == 'failed' then
    fail(step, settlement, job, id, fields, text, stacktrace, terms)
    settlement.hasFinished = true
  elseif kind == 'retry' then
    retry(step, job, id, fields, text, stacktrace, terms)
  else
    handBack(step, job, id)
  end
  return DONE
end
