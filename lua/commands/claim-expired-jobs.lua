--[[
Leases jobs whose time to be started is over, wherever they wait, for their caller to fail. Iterations of job schedulers
are left to the claim that meets them: what comes after them has to be planned.

@keys base
@args now caller channel sequence notAfter count leaseDuration workerName token mark
@result numbers ids records; numbers is a text, with blanks between: status now more; ids is a text with the
  mark between any two, records is JSON, and both may be missing or empty
@refusals none
@events waiting active
@bound as many jobs as are wanted, 200 at most, each with a search of the list that it is in
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include slots
-- @include expiry
-- @include claim
-- @include records
-- @include replays
local now, caller, channel, sequence, notAfter, count, leaseDuration, workerName, token, mark = unpack(ARGV, 1, 10)
local base = KEYS[1]
now = timeOf(now)
local request = requestOf(caller, count, leaseDuration, workerName, token, mark, '')
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return claimAgain(base, now, recalled, request)
end

expectMemory(base, known)
local step = openStep(base, now)
local taken = newTaken(step, request, math.huge)
local expiries = expiriesOf(step)

-- @return whether it is there no more
local function leavesPlace(id)
  if redis.call('ZREM', step.prioritized, id) == 1 then
    return true
  end
  -- They are looked for where those are that wait longest.
  return redis.call('LREM', base .. 'wait', '-1', id) > 0 or redis.call('LREM', base .. 'paused', '-1', id) > 0
end

-- A delayed job is one that nobody may start; one whose time has come meanwhile is as good as ready.
-- @return whether it is leased to somebody now
local function takeOut(id)
  local score = redis.call('ZSCORE', step.delayed, id)
  if not score then
    return leavesPlace(id)
  end
  local due = math.floor(tonumber(score) / SLOTS)
  if due > now then
    countExpiry(step, id, due)
    return false
  end
  redis.call('ZREM', step.delayed, id)
  redis.call('HSET', base .. id, 'delay', '0')
  redis.call('XADD', step.events, '*', 'event', 'waiting', 'jobId', id, 'prev', 'delayed')
  return true
end

-- @return whether the call is full
local function take(id)
  local fields = redis.pcall('HMGET', base .. id, 'ln:expires', 'ats', 'finishedOn', 'rjk', 'data')
  local expires = not fields.err and tonumber(fields[1] or nil)
  if not expires or isStarted(fields[2]) or fields[3] or fields[4] then
    redis.call('ZREM', expiries, id)
    return false
  end
  if expires > now then
    noteExpiry(step, id, expires)
    return false
  end
  if isTooMuch(taken, #(fields[5] or '')) then
    return true
  end
  redis.call('ZREM', expiries, id)
  if takeOut(id) then
    lease(step, request, taken, id)
  end
  return false
end

local most = math.min(request.count, MAX_CLAIMED)
local due = redis.call('ZRANGEBYSCORE', expiries, '-inf', lastScoreOf(now), 'LIMIT', '0', textOf(step, most + 1))
local more = '0'
for place = 1, #due do
  if place > most or take(due[place]) then
    more = '1'
    break
  end
end
enterActive(step, taken)
trimEvents(step, sequence)
local ids = table.concat(taken.ids, mark)
return answerClaim(step, known, request, step.nowText .. ' ' .. more, ids, recordsOf(taken.rows))
