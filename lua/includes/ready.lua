--[[
Places of jobs that are ready to run: the list `wait`, whose tail is next, and the set `prioritized`. Every way into
them is here.

@writes wait paused prioritized pc
]]
local PRIORITY_STEP = 4294967296
local ROOM_BELOW = 1048576
local CHUNK = 4000

local function pushAll(command, key, ids)
  for first = 1, #ids, CHUNK do
    local last = math.min(first + CHUNK - 1, #ids)
    if command == 'LPUSH' then
      redis.call('LPUSH', key, unpack(ids, first, last))
    else
      redis.call('RPUSH', key, unpack(ids, first, last))
    end
  end
end

-- Behind all that wait, in order.
local function appendWaiting(step, ids)
  pushAll('LPUSH', step.wait, ids)
  step.hasNewWork = true
end

-- Before all that wait.
local function putFirst(step, id)
  redis.call('RPUSH', step.wait, id)
  step.hasNewWork = true
end

-- Behind the jobs of their priorities, in order. `entries` alternates ids and priorities.
local function appendPrioritized(step, entries)
  local count = #entries / 2
  local last = redis.call('INCRBY', step.base .. 'pc', count)
  local scored = {}
  for index = 1, count do
    local place = (last - count + index) % PRIORITY_STEP
    scored[2 * index - 1] = entries[2 * index] * PRIORITY_STEP + place
    scored[2 * index] = entries[2 * index - 1]
  end
  for first = 1, #scored, CHUNK do
    redis.call('ZADD', step.prioritized, unpack(scored, first, math.min(first + CHUNK - 1, #scored)))
  end
  step.hasNewWork = true
end

-- The scores of a priority. Places are counted upwards from 0, and those of jobs that go first downwards, so that some
-- are below 0: there, too, nobody of another priority comes.
local function scoresOfPriority(priority)
  local lowest = priority * PRIORITY_STEP - ROOM_BELOW
  return lowest, lowest + PRIORITY_STEP - 1
end

-- Before the jobs of its priority: below the first one, or where places are counted from while none waits.
local function putFirstOfPriority(step, id, priority)
  local lowest, highest = scoresOfPriority(priority)
  local first = redis.call('ZRANGEBYSCORE', step.prioritized, lowest, highest, 'WITHSCORES', 'LIMIT', '0', '1')
  local score = first[2] and tonumber(first[2]) - 1 or priority * PRIORITY_STEP
  redis.call('ZADD', step.prioritized, math.max(lowest, score), id)
  step.hasNewWork = true
end

-- One job among those of its priority, behind or before them. A prioritized one goes behind.
local function makeReady(step, id, priority, isFirst)
  if priority > 0 then
    appendPrioritized(step, { id, priority })
  elseif isFirst then
    putFirst(step, id)
  else
    appendWaiting(step, { id })
  end
end

local function hasReady(step)
  return redis.call('EXISTS', step.wait, step.prioritized) > 0
end

-- Tells that nothing waits and nothing runs, if that is so.
-- @rare
local function tellIfDrained(step)
  if not hasReady(step) and redis.call('EXISTS', step.active) == 0 then
    redis.call('XADD', step.events, '*', 'event', 'drained')
  end
end
