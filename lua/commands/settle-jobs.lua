--[[
Takes outcomes of leased jobs, one after the other, then claims, if jobs are wanted.

Kinds of outcomes are `completed` (text is the result, terms are the retention), `failed` (text is the stacktrace with its
length in front, then the reason; terms are the retention, the attempts of the job and a code), `retry` (the same text;
terms are the delay and whether it goes first), `delayed` (terms are the time until which it is held back, and
how often no worker had a handler for it if that is to be stored) and
`handed-back` (terms are `limited` if its handler has met a rate limit). Most outcomes of a call have the kind, the
token of the lease and the terms of the first one, and say nothing else; others tell all three as `own`.

@keys base
@args now caller channel sequence notAfter count leaseDuration workerName token mark limiter kind outcomeToken terms maxDataPoints
@each id text own
@result numbers ids records; numbers is a text, with blanks between: status now idle dueIn outcomes, then a place and
  a refusal for each of the outcomes that was refused; ids is a text with the mark between any two, records is JSON, and both may be
  missing or empty
@refusals job-not-found lease-missing lease-mismatch pending-children failed-children
@events completed failed retries-exhausted waiting delayed active drained added duplicated
@bound the outcomes of the call, 200 jobs that came due, 200 that are leased, 1000 finished ones that are removed by each bound
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
-- @include metrics
-- @include records
-- @include replays
local now, caller, channel, sequence, notAfter, count, leaseDuration, workerName, token, mark, limiter,
  kind, outcomeToken, terms, maxDataPoints = unpack(ARGV, 1, 15)
local base = KEYS[1]
now = timeOf(now)
local request = requestOf(caller, count, leaseDuration, workerName, token, mark, limiter)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return claimAgain(base, now, recalled, request)
end

expectMemory(base, known)
local step = openStep(base, now)
local settlement = newSettlement(known.isActiveLong, { kind = kind, token = outcomeToken, text = terms })
local jobs, lockKeys, rareKeys, outcomes, rares = settlement.jobs, settlement.lockKeys, { base .. 'stalled' }, 0, 1
for at = 16, #ARGV, 3 do
  local job = base .. ARGV[at]
  outcomes = outcomes + 1
  jobs[outcomes] = job
  lockKeys[outcomes] = job .. ':lock'
  if termsOf(settlement, ARGV[at + 2]).kind == 'completed' then
    rareKeys[rares + 1] = job .. ':dependencies'
    rareKeys[rares + 2] = job .. ':unsuccessful'
    rares = rares + 2
  end
end
local refusals = ''
if outcomes > 0 then
  settlement.locks = redis.call('MGET', unpack(lockKeys))
  lookForRare(step, settlement, rareKeys)
  readTail(step, settlement, outcomes)
  for place = 1, outcomes do
    local at = 13 + 3 * place
    local refusal = settle(step, settlement, place, ARGV[at], ARGV[at + 1], termsOf(settlement, ARGV[at + 2]))
    if refusal then
      settlement.refused[place] = true
      refusals = refusals .. string.format(' %d %d', place, refusal)
    end
  end
end
writeSettlement(step, settlement, outcomes, refusals ~= '')
if maxDataPoints ~= '' then
  local finishes = { completed = 0, failed = settlement.cancelled }
  for place = 1, outcomes do
    local ended = termsOf(settlement, ARGV[15 + 3 * place]).kind
    if finishes[ended] and not settlement.refused[place] then
      finishes[ended] = finishes[ended] + 1
    end
  end
  countFinished(step, finishes, tonumber(maxDataPoints))
end

local ids, rows, idle, dueIn = '', '', NOT_ASKED, NEVER
if count ~= '0' then
  request.heedsHand = settlement.heedsHand
  ids, rows, idle, dueIn = claim(step, request)
elseif step.ceiling and hasReady(step) and isOpen(step) then
  -- Who was held back by the ceiling waits for room, of which nothing else tells.
  signalWork(step)
end
signal(step)
if settlement.hasFinished and ids == '' then
  tellIfDrained(step)
end
trimEvents(step, sequence)
local numbers = step.nowText .. ' ' .. idle .. ' ' .. dueIn .. ' ' .. textOf(step, outcomes) .. refusals
return answerClaim(step, known, request, numbers, ids, rows)
