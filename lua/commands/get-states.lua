--[[
Reads the states of jobs.

@keys base
@args now
@each id
@result a state per id, empty where there is no such job
@refusals none
@events none
@bound the ids of the call, and the active jobs for each that was claimed
]]
-- @include step
-- @include states
local now = unpack(ARGV, 1, 1)
local base = KEYS[1]
local step = openStep(base, timeOf(now))
local found = {}
for at = 2, #ARGV, 1 do
  local id = ARGV[at]
  local fields = redis.call('HMGET', base .. id, 'timestamp', 'processedOn')
  found[#found + 1] = fields[1] and stateOf(step, id, fields[2]) or ''
end
return found
