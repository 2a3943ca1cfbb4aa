--[[
Where finished jobs are kept. They are gathered and written once for many; whatever looks at them first has them written.

@writes active completed failed lock stalled
]]
-- @include step
-- @include retention
-- @include jobs
-- @include parents
-- Jobs end about in the order in which they were claimed, so they are looked for from the tail. In a long list, others may
-- hold what is there, and those that were claimed a second ago at most are nearer to the head.
local RECENT = 1000

-- How the terms of those begin who keep all that have finished.
local KEEPS_ALL = '-1::'

-- Outcomes from which on one look at the tail is cheaper than one for each job.
local MIN_TAIL = 3

-- Finished jobs stay in the order of finishing, also within a millisecond and when the clock goes back: a score is a
-- time, and behind the point the place of a further job. Places are as close as numbers of this size allow.
local FIRST_PLACE = 10000
local PLACE_STEP = 25
local LAST_PLACE = 99975

local function newSettlement(isActiveLong, common)
  return {
    isActiveLong = isActiveLong,
    common = common,
    -- One per outcome.
    jobs = {},
    lockKeys = {},
    locks = false,
    refused = {},
    -- Ids at the tail of `active`, as far as the jobs that have left are these, from its end on, and their number.
    tail = false,
    left = 0,
    -- Finished jobs that are not written yet.
    scored = {},
    finishes = 0,
    highest = {},
    set = false,
    retention = false,
    retentionText = false,
    -- Noted on the way.
    hasRare = false,
    hasFinished = false,
    cancelled = 0,
    heedsHand = false,
  }
end

-- The kind, the token and the terms of an outcome.
local function termsOf(settlement, own)
  if own == '' then
    return settlement.common
  end
  local kind, size, from = string.match(own, '^(%S+) (%d+) ()')
  return { kind = kind, token = string.sub(own, from, from + size - 1), text = string.sub(own, from + size) }
end

local function finishScore(step, settlement, set)
  local last = settlement.highest[set]
  if not last then
    local highest = tonumber(redis.call('ZREVRANGE', set, '0', '0', 'WITHSCORES')[2] or 0)
    last = { time = math.floor(highest), text = false, place = 0, start = false }
    local behind = math.floor(((highest - last.time) * 100000 - FIRST_PLACE) / PLACE_STEP + 0.5)
    last.text = string.format('%d.', last.time)
    last.place = FIRST_PLACE + math.max(0, behind) * PLACE_STEP
    settlement.highest[set] = last
  end
  if last.time < step.now then
    last.time, last.text, last.place, last.start = step.now, step.nowText .. '.', FIRST_PLACE, false
    return step.nowText
  end
  if last.place >= LAST_PLACE then
    last.time, last.place, last.start = last.time + 1, FIRST_PLACE, false
    last.text = string.format('%d.', last.time)
  end
  local place = last.place + PLACE_STEP
  last.place = place
  -- Lua takes long over writing numbers, and four scores share all but their end.
  local ending = place % 100
  if ending == 0 or not last.start then
    last.start = last.text .. string.format('%d', (place - ending) / 100)
  end
  return last.start .. (ending == 0 and '00' or ending == 25 and '25' or ending == 50 and '50' or '75')
end

local function writeFinished(step, settlement)
  if settlement.finishes == 0 then
    return
  end
  redis.call('ZADD', settlement.set, unpack(settlement.scored))
  local retention = settlement.retention
  if retention and (retention.age or retention.count > 0) then
    removeSurplus(step, settlement.set, retention, settlement.finishes)
  end
  settlement.scored = {}
  settlement.finishes = 0
end

-- Jobs that end in the order of their claims are the tail of `active`: they are cut off at once.
local function readTail(step, settlement, outcomes)
  if outcomes >= MIN_TAIL and not settlement.isActiveLong then
    settlement.tail = redis.call('LRANGE', step.active, textOf(step, -outcomes), '-1')
  end
end

local function cutTail(step, settlement)
  if settlement.left > 0 then
    redis.call('LTRIM', step.active, '0', textOf(step, -settlement.left - 1))
  end
  settlement.tail, settlement.left = false, 0
end

-- Takes a job out of `active`, looking first where it is likely to be.
-- @return whether it was there
local function leaveActive(step, settlement, job, id)
  local tail = settlement.tail
  if tail then
    if tail[#tail - settlement.left] == id then
      settlement.left = settlement.left + 1
      return true
    end
    cutTail(step, settlement)
  end
  if settlement.isActiveLong and step.now - (redis.call('HGET', job, 'processedOn') or 0) <= RECENT then
    return redis.call('LREM', step.active, '1', id) == 1
  end
  return redis.call('LREM', step.active, '-1', id) == 1
end

-- Ends what is left of the leases that were not refused. Has to come before a claim, which may lease the same jobs
-- again.
local function writeSettlement(step, settlement, outcomes, hasRefusals)
  writeFinished(step, settlement)
  cutTail(step, settlement)
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
  if settlement.hasRare then
    local first, last = #step.base + 1, -#':lock' - 1
    for place, key in ipairs(lockKeys) do
      lockKeys[place] = string.sub(key, first, last)
    end
    redis.call('SREM', step.base .. 'stalled', unpack(lockKeys))
  end
end

-- Looks for what most queues have none of: a sweep that is under way, children of the jobs, delayed jobs.
-- @param keys of all but the delayed jobs
local function lookForRare(step, settlement, keys)
  local count = #keys
  keys[count + 1] = step.delayed
  step.hasNoDelayed = redis.call('EXISTS', unpack(keys)) == 0
  settlement.hasRare = not step.hasNoDelayed and redis.call('EXISTS', unpack(keys, 1, count)) > 0
end

-- @return false where all are kept
local function retentionOf(text)
  if string.sub(text, 1, #KEEPS_ALL) == KEEPS_ALL then
    return false
  end
  local count, age, limit = string.match(text, '^([^:]*):([^:]*):([^:]*)')
  return { count = tonumber(count), age = tonumber(age), limit = tonumber(limit) }
end

-- Where a finished job goes to, and when.
local function keepFinished(step, settlement, id, set, retentionText)
  if settlement.retentionText ~= retentionText or settlement.set ~= set then
    writeFinished(step, settlement)
    settlement.set = set
    settlement.retentionText = retentionText
    settlement.retention = retentionOf(retentionText)
  end
  local terms = settlement.retention
  if terms and terms.count == 0 then
    return false
  end
  local scored, finishes = settlement.scored, settlement.finishes
  scored[2 * finishes + 1] = finishScore(step, settlement, set)
  scored[2 * finishes + 2] = id
  settlement.finishes = finishes + 1
  return true
end

-- What a job that ends without being kept leaves behind.
-- @rare
local function dropFinished(step, job, parent)
  if parent then
    childRemoved(parent, job)
  end
  deleteRecord(job)
end
