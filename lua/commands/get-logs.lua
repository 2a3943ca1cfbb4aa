--[[
Reads a part of the log of one job, and how many rows it has.

@keys base
@args id first last
@result rows count
@refusals none
@events none
@bound the rows of the part
]]
local id, first, last = unpack(ARGV, 1, 3)
local logs = KEYS[1] .. id .. ':logs'
return { redis.call('LRANGE', logs, first, last), redis.call('LLEN', logs) }
