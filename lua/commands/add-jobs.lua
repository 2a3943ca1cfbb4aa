--[[
Stores jobs, in order, and makes them ready or holds them back. Those that bring a time of adding are named by their
places in `timestamps`: `1:1700000000000,4:1700000000000`.

Terms are the priority, the delay, whether a job goes first, with time limits behind that if it has some, as in `0:500:`,
and what else it carries, as in `0:500:@2@35`, then its headers and its options, with blanks between. Most jobs of a call
have no id of their own and the terms of the first one, and say nothing else; others tell as `own` the length of their
id, the id, and their terms.

@keys base
@args now caller channel sequence notAfter timestamps terms
@each name data own
@result status now ids duplicates; ids are JSON, or the first one and how many jobs have it and those that follow it, as in
  `17+50`
@refusals none
@events added waiting delayed duplicated
@bound the jobs of the call
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include jobs
-- @include ready
-- @include delayed
-- @include expiry
-- @include notes
local now, caller, channel, sequence, notAfter, timestamps, terms = unpack(ARGV, 1, 7)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
introduce(step)
local counterKey = base .. 'id'
local duplicates, appended, prioritized = {}, {}, {}
local jobs = (#ARGV - 7) / 3

local function timesOf(text)
  local times = {}
  for place, time in string.gmatch(text, '(%d+):(%d+)') do
    times[tonumber(place)] = time
  end
  return times
end

local function readTerms(text, from)
  local priority, delay, lifo, limits, notes, rest = string.match(text, '^(%S+) (%S+) (%d)([:%d]*)(%S*) ()', from)
  local options, noted = string.sub(text, rest), nil
  if notes ~= '' then
    noted, options = readNotes(notes, options)
  end
  return priority, delay, lifo, options, limits, noted
end

-- @return the id, which is empty for one that is to be counted, and where the terms begin
local function readId(own)
  local size, from = string.match(own, '^(%d+) ()')
  return string.sub(own, from, from + size - 1), from + size
end

-- Counts ids for all jobs of the call at once, if all are to be counted and the next ones are free.
-- @return the ids, or nil; from where to count one by one; and how far the counter is
local function countAtOnce()
  if jobs == 0 then
    return {}, 0, 0
  end
  for at = 10, #ARGV, 3 do
    if ARGV[at] ~= '' and readId(ARGV[at]) ~= '' then
      local last = tonumber(redis.call('GET', counterKey) or 0)
      return nil, last, last
    end
  end
  local last = redis.call('INCRBY', counterKey, textOf(step, jobs))
  local free, keys = {}, {}
  for place = 1, jobs do
    free[place] = string.format('%d', last - jobs + place)
    keys[place] = base .. free[place]
  end
  if redis.call('EXISTS', unpack(keys)) > 0 then
    return nil, last - jobs, last
  end
  return free, last, last
end

local free, counted, stored = countAtOnce()
local ids = free or {}
local ownTimes = timestamps ~= '' and timesOf(timestamps)
local firstPriority, firstDelay, firstLifo, firstOptions, firstLimits, firstNotes = readTerms(terms)

for at = 8, #ARGV, 3 do
  local name, data, own = unpack(ARGV, at, at + 2)
  local place = (at - 5) / 3
  local id, priority, delay, lifo, options, limits, notes =
    '', firstPriority, firstDelay, firstLifo, firstOptions, firstLimits, firstNotes
  if own ~= '' then
    local from
    id, from = readId(own)
    priority, delay, lifo, options, limits, notes = readTerms(own, from)
  end
  if id ~= '' and redis.call('EXISTS', base .. id) == 1 then
    redis.call('XADD', step.events, '*', 'event', 'duplicated', 'jobId', id)
    duplicates[#duplicates + 1] = place
    -- BullMQ counts every add.
    counted = counted + 1
  else
    if free then
      id = free[place]
    else
      repeat
        counted = counted + 1
        local following = string.format('%d', counted)
        local isTaken = redis.call('EXISTS', base .. following) == 1
        if id == '' and not isTaken then
          id = following
        end
      until not isTaken
    end
    local timestamp = ownTimes and ownTimes[place]
    if delay ~= '0' then
      delay = math.ceil(tonumber(delay))
      storeRecord(step, id, name, data, options, delay, priority, timestamp)
      holdBack(step, id, (timestamp or now) + delay)
    else
      storeRecord(step, id, name, data, options, delay, priority, timestamp)
      if priority ~= '0' then
        prioritized[#prioritized + 1] = id
        prioritized[#prioritized + 1] = tonumber(priority)
      elseif lifo == '1' then
        putFirst(step, id)
      else
        appended[#appended + 1] = id
      end
      announceWaiting(step, id)
    end
    if limits ~= '' then
      limitTime(step, id, limits, (timestamp or now) + delay)
    end
    if notes then
      storeNotes(step, id, notes)
    end
  end
  ids[place] = id
end

if counted > stored then
  redis.call('INCRBY', counterKey, counted - stored)
end
if #appended > 0 then
  appendWaiting(step, appended)
end
if #prioritized > 0 then
  appendPrioritized(step, prioritized)
end
signal(step)
trimEvents(step, sequence)
local told = free and (free[1] or '1') .. '+' .. textOf(step, jobs) or cjson.encode(ids)
return answer(step, known, { now, told, duplicates })
