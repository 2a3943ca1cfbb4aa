--[[
Tells whether as many jobs are active as may be, and for how long a rate of `max` lets no jobs through. An empty text is
for the rate of the queue.

@keys base
@args now max
@result isMaxed limitedFor
@refusals none
@events none
@bound constant
]]
-- @include step
-- @include limits
local now, max = unpack(ARGV, 1, 2)
local base = KEYS[1]
local step = openStep(base, timeOf(now))
local isMaxed = step.ceiling and redis.call('LLEN', step.active) >= step.ceiling
local most = numberIn(max) or step.max
local limitedFor = leftOf(step)
if most then
  local counted = countedIn(redis.pcall('GET', base .. 'limiter'))
  limitedFor = counted and counted >= most and math.max(0, limitedFor) or 0
end
return { isMaxed and 1 or 0, limitedFor }
