--[[
Takes outcomes of leased jobs, one after the other, then claims, if jobs are wanted.

Outcomes are `completed` (text is the result, terms the retention), `failed` (text is the reason, terms are the
retention, the attempts of the job and a code), `retry` (terms are the delay and whether it goes first) and
`handed-back`.

@keys base
@args now caller channel sequence notAfter count leaseDuration workerName token
@each kind id outcomeToken text stacktrace terms
@result status now ids idle dueIn refusals records
@refusals job-not-found lease-missing lease-mismatch pending-children failed-children
@events completed failed retries-exhausted waiting delayed active drained added duplicated
@bound the outcomes of the call, 200 jobs that came due, 200 that are leased, 2000 finished ones that are removed
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include ready
-- @include outcomes
-- @include claim
local now, caller, channel, sequence, notAfter, count, leaseDuration, workerName, token = unpack(ARGV, 1, 9)
local base = KEYS[1]
now = timeOf(now)
local recalled, kept = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  local reply = replyAgain(recalled)
  if reply[3] then
    reply[3], reply[7] = leasedStill(base, reply[3], token)
  end
  return reply
end

local step = openStep(base, now)
local lockKeys, childKeys = {}, {}
for at = 10, #ARGV, 6 do
  local job = base .. ARGV[at + 1]
  lockKeys[#lockKeys + 1] = job .. ':lock'
  if ARGV[at] == 'completed' then
    childKeys[#childKeys + 1] = job .. ':dependencies'
    childKeys[#childKeys + 1] = job .. ':unsuccessful'
  end
end
local locks = #lockKeys > 0 and redis.call('MGET', unpack(lockKeys)) or {}
local settlement = newSettlement()
settlement.isActiveLong = redis.call('LLEN', step.active) > LONG
settlement.mayHaveChildren = #childKeys > 0 and redis.call('EXISTS', unpack(childKeys)) > 0
local refusals = {}
for at = 10, #ARGV, 6 do
  local kind, id, outcomeToken, text, stacktrace, terms = unpack(ARGV, at, at + 5)
  local number = #refusals + 1
  refusals[number] =
    settle(step, settlement, lockKeys[number], locks[number], kind, id, outcomeToken, text, stacktrace, terms)
end
writeSettlement(step, settlement)

local ids, rows, idle, dueIn = false, {}, NOT_IDLE, NEVER
if count ~= '0' then
  ids, rows, idle, dueIn = claim(step, {
    count = tonumber(count),
    leaseDuration = tonumber(leaseDuration),
    workerName = workerName,
    token = token,
  })
end
signal(step)
if settlement.hasFinished and not hasReady(step) and redis.call('EXISTS', step.active) == 0 then
  redis.call('XADD', step.events, '*', 'event', 'drained')
end
trimEvents(step)
remember(step, kept, caller, channel, sequence, { now, ids, idle, dueIn, refusals }, tonumber(leaseDuration))
return { RAN, now, ids, idle, dueIn, refusals, rows }
