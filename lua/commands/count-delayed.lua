--[[
Counts the delayed jobs that are due before a time.

@keys base
@args before
@result count
@refusals none
@events none
@bound constant
]]
-- @include slots
local before = unpack(ARGV, 1, 1)
return redis.call('ZCOUNT', KEYS[1] .. 'delayed', '-inf', '(' .. string.format('%.0f', tonumber(before) * SLOTS))
