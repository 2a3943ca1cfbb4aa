--[[
Hands out jobs again. What stands in the list `paused` is older than what waits, and goes before it.

@keys base
@args now caller channel sequence notAfter
@result status now changed
@refusals none
@events resumed
@bound the jobs in the list `paused`, which only BullMQ 5 fills, where others wait already; else constant
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

expectMemory(base, known)
local step = openStep(base, now)
local changed = 0
if step.paused then
  redis.call('HDEL', step.meta, 'paused')
  step.paused = false
  step.wait = base .. 'wait'
  changed = 1
end
-- Nobody looks into the list of a queue that is not paused.
local hadHeld = redis.call('EXISTS', base .. 'paused') == 1
if hadHeld and redis.call('EXISTS', base .. 'wait') == 1 then
  pushAll('RPUSH', base .. 'wait', redis.call('LRANGE', base .. 'paused', '0', '-1'))
  redis.call('DEL', base .. 'paused')
elseif hadHeld then
  redis.call('RENAME', base .. 'paused', base .. 'wait')
end
if changed == 1 or hadHeld then
  step.hasNewWork = hasReady(step)
  step.hasNewDelayed = not step.hasNewWork
  signal(step)
end
if changed == 1 then
  redis.call('XADD', step.events, '*', 'event', 'resumed')
  trimEvents(step, sequence)
end
return answer(step, known, { now, changed })
