--[[
Tells which of the given ids are of jobs that stand in no set. They may stand in a list.

@keys base
@args now
@each id
@result the ids
@refusals none
@events none
@bound the ids of the call
]]
-- @include step
-- @include removal
local now = unpack(ARGV, 1, 1)
local base = KEYS[1]
local step = openStep(base, timeOf(now))
local found = {}

local function isInSet(id)
  for _, name in ipairs(SETS) do
    if redis.call('ZSCORE', base .. name, id) then
      return true
    end
  end
  return false
end

for at = 2, #ARGV, 1 do
  local id = ARGV[at]
  if readJob(step, id) and not isInSet(id) then
    found[#found + 1] = id
  end
end
return found
