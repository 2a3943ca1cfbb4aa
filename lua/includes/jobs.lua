--[[
The records of jobs, and how a new one enters its queue.

@writes job id
]]
-- @include ready
-- @include delayed
local function storeRecord(step, id, name, data, options, delay, priority, timestamp)
  redis.call(
    'HSET', step.base .. id,
    'name', name, 'data', data, 'opts', options, 'timestamp', timestamp or step.nowText, 'delay', delay,
    'priority', priority
  )
  redis.call('XADD', step.events, '*', 'event', 'added', 'jobId', id, 'name', name)
end

local function announceWaiting(step, id)
  redis.call('XADD', step.events, '*', 'event', 'waiting', 'jobId', id)
end

-- A job that the state machine adds by itself, with options as they are stored.
local function addByItself(step, id, name, data, optionsText, options)
  local delay = math.max(0, tonumber(options.delay) or 0)
  local priority = tonumber(options.priority) or 0
  storeRecord(step, id, name, data, optionsText, delay, priority)
  if delay > 0 then
    holdBack(step, id, step.now + delay)
  else
    makeReady(step, id, priority, options.lifo == true)
    announceWaiting(step, id)
  end
end

-- Everything that is kept of a job, but for its lock.
-- @rare
local function deleteRecord(job)
  redis.call(
    'DEL', job,
    job .. ':logs', job .. ':dependencies', job .. ':processed', job .. ':failed', job .. ':unsuccessful'
  )
end
