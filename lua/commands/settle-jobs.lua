--[[
Takes outcomes of leased jobs, one after the other, then claims, if jobs are wanted.

Outcomes are `completed` (text is the result, terms the retention), `failed` (text is the reason, terms are the
retention, the attempts of the job and a code), `retry` (terms are the delay and whether it goes first), `delayed` (terms
are the time until which it is held back) and `handed-back`.

@keys base
@args now caller channel sequence notAfter count leaseDuration workerName token mark
@each kind id outcomeToken text stacktrace terms
@result status now ids idle dueIn refusals records; ids and records are texts with the mark between items, refusals is
  the number of outcomes, then a place and a refusal for each that was refused
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
-- @include finishing
-- @include outcomes
-- @include claim
local now, caller, channel, sequence, notAfter, count, leaseDuration, workerName, token, mark =
  unpack(ARGV, 1, 10)
local base = KEYS[1]
now = timeOf(now)
local request = requestOf(count, leaseDuration, workerName, token, mark)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  local reply = replyAgain(recalled)
  if reply[3] then
    reply[3], reply[7] = leasedStill(openStep(base, now), reply[3], request)
  end
  return reply
end

expectMemory(base, caller, channel)
local step = openStep(base, now)
local lockKeys, rareKeys, outcomes, rares = {}, { base .. 'stalled' }, 0, 1
for at = 11, #ARGV, 6 do
  local job = base .. ARGV[at + 1]
  outcomes = outcomes + 1
  lockKeys[outcomes] = job .. ':lock'
  if ARGV[at] == 'completed' then
    rareKeys[rares + 1] = job .. ':dependencies'
    rareKeys[rares + 2] = job .. ':unsuccessful'
    rares = rares + 2
  end
end
local locks = outcomes > 0 and redis.call('MGET', unpack(lockKeys)) or {}
local settlement = newSettlement(lockKeys)
settlement.isActiveLong = known.active > LONG
local isRare = outcomes > 0 and redis.call('EXISTS', unpack(rareKeys)) > 0
settlement.mayHaveChildren = isRare
settlement.mayBeStalled = isRare
local refusals, place = { outcomes }, 0
for at = 11, #ARGV, 6 do
  local kind, id, outcomeToken, text, stacktrace, terms = unpack(ARGV, at, at + 5)
  place = place + 1
  local refusal =
    settle(step, settlement, place, locks[place], kind, id, outcomeToken, text, stacktrace, terms)
  if refusal then
    settlement.refused[place] = true
    refusals[#refusals + 1] = place
    refusals[#refusals + 1] = refusal
  end
end
writeSettlement(step, settlement, outcomes, #refusals > 1)

local ids, rows, idle, dueIn = false, '', NOT_IDLE, NEVER
if count ~= '0' then
  ids, rows, idle, dueIn = claim(step, request)
elseif step.ceiling and hasReady(step) and isOpen(step) then
  -- Who was held back by the ceiling waits for room, of which nothing else tells.
  signalWork(step)
end
signal(step)
if settlement.hasFinished and (not ids or ids == '') and not hasReady(step) and redis.call('EXISTS', step.active) == 0 then
  redis.call('XADD', step.events, '*', 'event', 'drained')
end
trimEvents(step, sequence)
remember(step, known, caller, channel, sequence, { now, ids, idle, dueIn, refusals }, request.leaseDuration)
return { RAN, now, ids, idle, dueIn, refusals, rows }
