--[[
Reads counts of finished jobs.

@keys base
@args state first last
@result count prevTS prevCount points total
@refusals none
@events none
@bound the points of the part
]]
local state, first, last = unpack(ARGV, 1, 3)
local key = KEYS[1] .. 'metrics:' .. state
local fields = redis.call('HMGET', key, 'count', 'prevTS', 'prevCount')
local data = key .. ':data'
return {
  fields[1] or '0',
  fields[2] or '0',
  fields[3] or '0',
  redis.call('LRANGE', data, first, last),
  redis.call('LLEN', data),
}
