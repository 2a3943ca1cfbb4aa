--[[
Messages to single handles, which read them while they wait.

@rare
@writes ln:i
]]
-- @include step
local MESSAGE_KEPT = 60000

local function tell(step, caller, message)
  local inbox = step.base .. 'ln:i.' .. caller
  redis.call('ZADD', inbox, '0', message)
  redis.call('PEXPIREAT', inbox, endOf(step, MESSAGE_KEPT))
end
