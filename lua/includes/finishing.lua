--[[
Where finished jobs are kept. They are gathered and written once for many; whatever looks at them first has them written.

@writes completed failed lock stalled
]]
-- @include retention
-- @include jobs
-- @include parents
-- Jobs end about in the order in which they were claimed, so they are looked for from the tail. In a list that is longer
-- than this, others may hold what is there, and those that were claimed a second ago at most are nearer to the head.
local LONG = 500
local RECENT = 1000

-- Finished jobs stay in the order of finishing, also within a millisecond and when the clock goes back: a score is a
-- time, and behind the point the place of a further job. Places are as close as numbers of this size allow.
local FIRST_PLACE = 10000
local PLACE_STEP = 25
local LAST_PLACE = 99975

local function newSettlement(lockKeys)
  return {
    lockKeys = lockKeys,
    refused = {},
    scored = {},
    finishes = 0,
    highest = {},
    -- Noted on the way.
    isActiveLong = false,
    mayHaveChildren = false,
    mayBeStalled = false,
    hasFinished = false,
    set = false,
    terms = false,
    termsText = false,
  }
end

local function finishScore(step, settlement, set)
  local last = settlement.highest[set]
  if not last then
    local highest = tonumber(redis.call('ZREVRANGE', set, '0', '0', 'WITHSCORES')[2] or 0)
    last = { time = math.floor(highest) }
    local behind = math.floor(((highest - last.time) * 100000 - FIRST_PLACE) / PLACE_STEP + 0.5)
    last.text = string.format('%d.', last.time)
    last.place = FIRST_PLACE + math.max(0, behind) * PLACE_STEP
    settlement.highest[set] = last
  end
  if last.time < step.now then
    last.time, last.text, last.place = step.now, step.nowText .. '.', FIRST_PLACE
    return step.nowText
  end
  if last.place >= LAST_PLACE then
    last.time, last.place = last.time + 1, FIRST_PLACE
    last.text = string.format('%d.', last.time)
  end
  last.place = last.place + PLACE_STEP
  return last.text .. last.place
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

-- Ends what is left of the leases that were not refused. Has to come before a claim, which may lease the same jobs
-- again.
local function writeSettlement(step, settlement, outcomes, hasRefusals)
  writeFinished(step, settlement)
  local lockKeys = settlement.lockKeys
  if hasRefusals then
    local kept = {}
    for place = 1, outcomes do
      if not settlement.refused[place] then
        kept[#kept + 1] = lockKeys[place]
      end
    end
    lockKeys = kept
  end
  if #lockKeys == 0 then
    return
  end
  redis.call('DEL', unpack(lockKeys))
  if settlement.mayBeStalled then
    local first, last = #step.base + 1, -#':lock' - 1
    for place, key in ipairs(lockKeys) do
      lockKeys[place] = string.sub(key, first, last)
    end
    redis.call('SREM', step.base .. 'stalled', unpack(lockKeys))
  end
end

local function termsOf(text)
  local count, age, limit = string.match(text, '^([^:]*):([^:]*):([^:]*)')
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
  local scored, finishes = settlement.scored, settlement.finishes
  scored[2 * finishes + 1] = finishScore(step, settlement, set)
  scored[2 * finishes + 2] = id
  settlement.finishes = finishes + 1
  return true
end

-- What a job that ends without being kept leaves behind.
local function dropFinished(step, job, parent)
  if parent then
    childRemoved(parent, job)
  end
  deleteRecord(job)
end
