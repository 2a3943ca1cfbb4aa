--[[
Reads jobs by their ids.

@keys base
@args now
@each id
@result a state and a record per id; an empty state where there is no such job
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
  local row = redis.call('HGETALL', base .. id)
  local state = ''
  if #row > 0 then
    state = stateOf(step, id, redis.call('HGET', base .. id, 'processedOn'))
  end
  found[#found + 1] = { state, row }
end
return found
