--[[
Counts jobs by state. A marker of an old client at the end of a list is no job.

@keys base
@args now
@result waiting prioritized delayed active completed failed waitingChildren
@refusals none
@events none
@bound constant
]]
-- @include step
-- @include lengths
local now = unpack(ARGV, 1, 1)
local base = KEYS[1]
local step = openStep(base, timeOf(now))

return {
  lengthOf(base .. 'wait') + lengthOf(base .. 'paused'),
  redis.call('ZCARD', step.prioritized),
  redis.call('ZCARD', step.delayed),
  redis.call('LLEN', step.active),
  redis.call('ZCARD', base .. 'completed'),
  redis.call('ZCARD', base .. 'failed'),
  redis.call('ZCARD', base .. 'waiting-children'),
}
