--[[
Takes back jobs whose lease ran out: those that were active at the last sweep, were not renewed since, and have no
lock. Notes which jobs are active now, for the next sweep.

@keys base
@args now caller channel sequence notAfter sweepInterval maxStalledCount mostRecovered reason
@result status now recovered more
@refusals none
@events waiting stalled
@bound the active jobs, and as many that are taken back as the call allows
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include ready
local now, caller, channel, sequence, notAfter, sweepInterval, maxStalledCount, mostRecovered, reason =
  unpack(ARGV, 1, 9)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local stalledKey, checkKey = base .. 'stalled', base .. 'stalled-check'
local most = tonumber(mostRecovered)

-- The jobs of a scheduler that exists are run again however often they were abandoned.
local function isOfScheduler(scheduler)
  if not scheduler then
    return false
  end
  return redis.call('EXISTS', base .. 'repeat:' .. scheduler) == 1
    or redis.call('ZSCORE', base .. 'repeat', scheduler) and true
end

local function takeBack(id)
  if redis.call('LREM', step.active, '-1', id) == 0 or string.sub(id, 1, 2) == '0:' then
    return false
  end
  local job = base .. id
  if redis.call('EXISTS', job) == 0 then
    return false
  end
  local count = redis.call('HINCRBY', job, 'stc', '1')
  if count > tonumber(maxStalledCount) and not isOfScheduler(redis.call('HGET', job, 'rjk')) then
    redis.call('HSET', job, 'defa', reason)
  end
  putFirst(step, id)
  redis.call('XADD', step.events, '*', 'event', 'waiting', 'jobId', id, 'prev', 'active')
  redis.call('XADD', step.events, '*', 'event', 'stalled', 'jobId', id)
  return true
end

-- The abandoned ones, earliest claim first; one more than may be taken back.
local function findAbandoned(activeIds)
  local found = {}
  for index = #activeIds, 1, -1 do
    local id = activeIds[index]
    if redis.call('SISMEMBER', stalledKey, id) == 1 and redis.call('EXISTS', base .. id .. ':lock') == 0 then
      found[#found + 1] = id
      if #found > most then
        break
      end
    end
  end
  return found
end

-- The key says when the last sweep was. It lasts as long as the one who swept wanted, and others may want it sooner. A
-- clock that was put back does not put off the sweeps, nor does one of another client that is ahead.
local function isTooEarly()
  local last = tonumber(redis.call('GET', checkKey) or nil)
  return last and math.abs(now - last) < tonumber(sweepInterval)
end

local recovered, more = {}, 0
if not isTooEarly() then
  local abandoned = {}
  if redis.call('EXISTS', stalledKey) == 1 then
    abandoned = findAbandoned(redis.call('LRANGE', step.active, '0', '-1'))
  end
  if #abandoned > most then
    more = 1
    abandoned[#abandoned] = nil
  end
  -- The last one to get to the very front is the first to run.
  for index = #abandoned, 1, -1 do
    if takeBack(abandoned[index]) then
      table.insert(recovered, 1, abandoned[index])
    end
  end
  if more == 1 then
    redis.call('SREM', stalledKey, unpack(abandoned))
  else
    redis.call('DEL', stalledKey)
    redis.call('SET', checkKey, now, 'PXAT', endOf(step, tonumber(sweepInterval)))
    local activeIds = redis.call('LRANGE', step.active, '0', '-1')
    for first = 1, #activeIds, CHUNK do
      redis.call('SADD', stalledKey, unpack(activeIds, first, math.min(first + CHUNK - 1, #activeIds)))
    end
  end
  signal(step)
  trimEvents(step, sequence)
end
return answer(step, known, { now, recovered, more })
