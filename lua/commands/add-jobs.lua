--[[
Stores jobs, in order, and makes them ready or holds them back.

@keys base
@args now caller channel sequence notAfter
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
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
introduce(step)
local counterKey = base .. 'id'
local counted = tonumber(redis.call('GET', counterKey) or 0)
local firstCounted = counted
local ids, duplicates, appended, prioritized = {}, {}, {}, {}

for at = 6, #ARGV, 7 do
  local id, name, data, options, priority, delay, lifo = unpack(ARGV, at, at + 6)
  if id ~= '' and redis.call('EXISTS', base .. id) == 1 then
    redis.call('XADD', step.events, '*', 'event', 'duplicated', 'jobId', id)
    duplicates[#duplicates + 1] = #ids + 1
  else
    repeat
      counted = counted + 1
      local free = string.format('%d', counted)
      local isTaken = redis.call('EXISTS', base .. free) == 1
      if id == '' and not isTaken then
        id = free
      end
    until not isTaken
    if delay ~= '0' then
      delay = math.ceil(tonumber(delay))
      storeRecord(step, id, name, data, options, delay, priority)
      holdBack(step, id, now + delay)
    else
      storeRecord(step, id, name, data, options, delay, priority)
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

if counted > firstCounted then
  redis.call('INCRBY', counterKey, counted - firstCounted)
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
