--[[
Stores jobs, in order, and makes them ready or holds them back. Those that bring a time of adding are named by their
places in `timestamps`: `1:1700000000000,4:1700000000000`.

@keys base
@args now caller channel sequence notAfter timestamps
@each id name data options priority delay lifo
@result status now ids duplicates
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
local now, caller, channel, sequence, notAfter, timestamps = unpack(ARGV, 1, 6)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
introduce(step)
local counterKey = base .. 'id'
local ids, duplicates, appended, prioritized = {}, {}, {}, {}

local function timesOf(text)
  local times = {}
  for place, time in string.gmatch(text, '(%d+):(%d+)') do
    times[tonumber(place)] = time
  end
  return times
end

-- Counts ids for all jobs of the call at once, if all are to be counted and the next ones are free.
-- @return the ids, or nil; from where to count one by one; and how far the counter is
local function countAtOnce(jobs)
  if jobs == 0 then
    return {}, 0, 0
  end
  for at = 7, #ARGV, 7 do
    if ARGV[at] ~= '' then
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

local free, counted, stored = countAtOnce((#ARGV - 6) / 7)
local ownTimes = timestamps ~= '' and timesOf(timestamps)

for at = 7, #ARGV, 7 do
  local id, name, data, options, priority, delay, lifo = unpack(ARGV, at, at + 6)
  if id ~= '' and redis.call('EXISTS', base .. id) == 1 then
    redis.call('XADD', step.events, '*', 'event', 'duplicated', 'jobId', id)
    duplicates[#duplicates + 1] = #ids + 1
  else
    if free then
      id = free[#ids + 1]
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
    local timestamp = ownTimes and ownTimes[#ids + 1]
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
  end
  ids[#ids + 1] = id
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
local reply = { now, ids, duplicates }
remember(step, known, caller, channel, sequence, reply, 0)
return { RAN, unpack(reply) }
