--[[
Hands out jobs again. What stands in the list `paused` is older than what waits, and goes before it.

@keys base
@args now caller channel sequence notAfter
@result status now changed
@refusals none
@events resumed
@bound the jobs in the list `paused`, which only BullMQ 5 fills; else constant
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include ready
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, caller, channel)
local step = openStep(base, now)
local changed = 0
if step.paused then
  redis.call('HDEL', step.meta, 'paused')
  step.paused = false
  step.wait = base .. 'wait'
  local ids = redis.call('LRANGE', base .. 'paused', '0', '-1')
  pushAll('RPUSH', step.wait, ids)
  redis.call('DEL', base .. 'paused')
  step.hasNewWork = hasReady(step)
  step.hasNewDelayed = not step.hasNewWork
  redis.call('XADD', step.events, '*', 'event', 'resumed')
  trimEvents(step, sequence)
  signal(step)
  changed = 1
end
local reply = { now, changed }
remember(step, known, caller, channel, sequence, reply, 0)
return { RAN, unpack(reply) }
