--[[
Cancels jobs: those that nobody holds fail at once, for others it is noted, and their holders are told.

@keys base
@args now caller channel sequence notAfter
@each id reason
@result status now refusals answers; answers has 0 for refused, 1 ended, 2 requested, 3 unreachable
@refusals job-not-found wrong-state outstanding-iteration
@events failed drained waiting delayed added
@bound the jobs of the call, those that wait for each of them that waits, and 1000 finished ones that are removed by each
  bound
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
-- @include events
-- @include signals
-- @include ready
-- @include finishing
-- @include failures
-- @include own-retention
-- @include schedulers
-- @include messages
-- @include moving
-- @include removal
-- @include expiry
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local settlement = newSettlement(false, nil)
local ENDED, REQUESTED, UNREACHABLE = 1, 2, 3
local ended = {}
local hadWork = false

-- Takes a job out of its place that nobody holds.
-- @return the place, or nil if it was in none
local function leave(id, processedOn)
  local place = leavePlace({ step = step, id = id, processedOn = processedOn })
  if place == 'wait' or place == 'paused' then
    return 'waiting'
  end
  return place ~= 'unknown' and place or nil
end

local function request(id, token, reason)
  redis.call('HSET', base .. id, 'ln:cancel', reason)
  -- The token of a claim names the caller, unless whoever claimed has chosen one.
  local holder = string.match(token, '^(%x+):w%d:%d+$')
  if not holder or #holder ~= 32 or string.find(holder, '%u') then
    return UNREACHABLE
  end
  tell(step, holder, 'cancel' .. cjson.encode({ id = id, token = token, reason = reason }))
  return REQUESTED
end

local function isFinished(id)
  return ended[id] or redis.call('ZSCORE', base .. 'completed', id) or redis.call('ZSCORE', base .. 'failed', id)
end

-- @return a refusal or 0, and the answer
local function cancel(id, reason)
  local fields = fieldsOf(step, id, 'parentKey', 'deid', 'atm', 'ln:cancel', 'opts', 'processedOn', 'rjk', 'ln:expires')
  if not fields then
    return JOB_NOT_FOUND, 0
  end
  if isFinished(id) then
    -- The ends of others may have removed it.
    writeFinished(step, settlement)
    return redis.call('EXISTS', base .. id) == 1 and WRONG_STATE or JOB_NOT_FOUND, 0
  end
  local token = redis.pcall('GET', base .. id .. ':lock')
  if type(token) == 'string' then
    return 0, request(id, token, fields[5] or reason)
  end
  if fields[8] and outstandingDue(step, fields[8], id) then
    return OUTSTANDING_ITERATION, 0
  end
  local place = leave(id, fields[7])
  if not place then
    return WRONG_STATE, 0
  end
  ended[id] = true
  if fields[9] then
    forgetExpiries(step, { id })
  end
  hadWork = hadWork or (place ~= 'delayed' and place ~= 'waiting-children')
  endFailed(step, settlement, base .. id, id, fields, retentionOnFail(fields[6]), reason, CANCELLED, place)
  return 0, ENDED
end

local refusals, answers = {}, {}
for at = 6, #ARGV, 2 do
  local refusal, answer = cancel(ARGV[at], ARGV[at + 1])
  refusals[#refusals + 1] = refusal
  answers[#answers + 1] = answer
end
writeFinished(step, settlement)
signal(step)
if hadWork then
  tellIfDrained(step)
end
trimEvents(step, sequence)
return answer(step, known, { now, refusals, answers })
