--[[
Telling those whose claim a rate held back that the limit is lifted.

@rare
@writes ln:h
]]
-- @include messages

-- Wakes those who wait for the end of a limit: not by the marker, which they would take from others while it lasts.
local function wakeHeldBack(step)
  local held = step.base .. 'ln:h'
  for _, caller in ipairs(redis.call('ZRANGE', held, '0', '-1')) do
    tell(step, caller, 'lifted')
  end
  redis.call('DEL', held)
end
