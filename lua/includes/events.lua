--[[
The event log. Events are written where things happen; its length is seen to once in several calls of a channel, the
first of them included.

@writes events
]]
-- @include step
local CALLS = 4

local function trimEvents(step, sequence)
  if sequence % CALLS == 1 then
    redis.call('XTRIM', step.events, 'MAXLEN', '~', step.maxEvents or DEFAULT_MAX_EVENTS)
  end
end
