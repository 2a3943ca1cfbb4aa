--[[
One step on one queue: its keys, its time, and what its `meta` hash says. Steps on other queues, which a parent may
live in, hang on the first one.

@writes meta
]]
local DEFAULT_MAX_EVENTS = '10000'
local LAST_TIME = 9007199254740991
local VERSION = 'bullmq:6.7.0+nestjs-lane'

-- A caller with a clock of its own sends its time; otherwise it is the server's.
local function timeOf(now)
  if now ~= '' then
    return math.floor(tonumber(now))
  end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A client of BullMQ 5 or older renames `wait` to `paused`, and loses what a pause by flag leaves in `wait`. Once one
-- was seen, the queue keeps to its ways, which a call that changes something notes. `0` pins the field: nobody looks.
local function followsVersion5(step, version, mark)
  if mark then
    return mark == '1'
  end
  local isOld = version and version ~= VERSION and string.match(version, '^bullmq:[1-5]%.')
  step.hasNewVersion5 = isOld or (step.paused and redis.call('EXISTS', step.base .. 'paused') == 1)
  return step.hasNewVersion5
end

-- @rare
local function noteVersion5(step)
  redis.call('HSET', step.meta, 'ln:v5', '1')
end

-- What others stored for a number. What is none, or has no end, counts for nothing.
local function numberIn(text)
  local number = tonumber(text or nil)
  return number and number - number == 0 and number or nil
end

local function openStep(base, now)
  local meta = base .. 'meta'
  local fields =
    redis.call('HMGET', meta, 'paused', 'concurrency', 'max', 'duration', 'opts.maxLenEvents', 'version', 'ln:v5')
  local step = {
    base = base,
    now = now,
    nowText = string.format('%d', now),
    texts = { '1' },
    meta = meta,
    active = base .. 'active',
    delayed = base .. 'delayed',
    events = base .. 'events',
    prioritized = base .. 'prioritized',
    paused = fields[1] and true or false,
    ceiling = fields[2] and numberIn(fields[2]),
    max = fields[3] and numberIn(fields[3]),
    duration = fields[4] and numberIn(fields[4]),
    maxEvents = fields[5],
    version = fields[6],
    -- Noted on the way. They stand here so that Lua makes room for them at once.
    v5 = false,
    wait = false,
    others = false,
    activeLength = false,
    hasNewWork = false,
    hasNewDelayed = false,
    hasNewVersion5 = false,
    expiriesUntil = false,
    hasNoDelayed = false,
    hasMoved = false,
  }
  step.v5 = followsVersion5(step, step.version, fields[7])
  step.wait = base .. ((step.paused and step.v5) and 'paused' or 'wait')
  return step
end

-- The step on the queue of a job's parent.
local function stepOf(step, base)
  if base == step.base then
    return step
  end
  step.others = step.others or {}
  local other = step.others[base]
  if not other then
    other = openStep(base, step.now)
    step.others[base] = other
  end
  return other
end

-- Says who writes here, to dashboards that ask; what somebody else said stays.
local function introduce(step)
  if not step.maxEvents then
    step.maxEvents = DEFAULT_MAX_EVENTS
    redis.call('HSET', step.meta, 'opts.maxLenEvents', DEFAULT_MAX_EVENTS)
  end
  if not step.version or (step.version ~= VERSION and string.find(step.version, '+nestjs-lane', 1, true)) then
    step.version = VERSION
    redis.call('HSET', step.meta, 'version', VERSION)
  end
end

-- The whole millisecond by which a duration is over, as text: the last one that a number can hold, if it is later.
local function endOf(step, duration)
  return string.format('%d', math.min(math.ceil(step.now + duration), LAST_TIME))
end

-- A count as text. Redis is slow at writing numbers, and most counts of a step are the same few.
local function textOf(step, count)
  local text = step.texts[count]
  if not text then
    text = string.format('%d', count)
    step.texts[count] = text
  end
  return text
end

-- Whether the queue hands out jobs just now.
-- @rare
local function isOpen(step)
  if step.paused then
    return false
  end
  return not step.ceiling or redis.call('LLEN', step.active) < step.ceiling
end
