--[[
Counts the jobs that wait with each of some priorities; 0 stands for those without. A marker of an old client at the end
of a list is no job.

@keys base
@args now
@each priority
@result a number per priority
@refusals none
@events none
@bound the priorities of the call
]]
-- @include step
-- @include ready
-- @include lengths
local now = unpack(ARGV, 1, 1)
local step = openStep(KEYS[1], timeOf(now))
local counts = {}
for at = 2, #ARGV, 1 do
  local priority = tonumber(ARGV[at])
  if priority == 0 then
    counts[#counts + 1] = lengthOf(step.base .. 'wait') + lengthOf(step.base .. 'paused')
  else
    local lowest, highest = scoresOfPriority(priority)
    counts[#counts + 1] = redis.call('ZCOUNT', step.prioritized, lowest, highest)
  end
end
return counts
