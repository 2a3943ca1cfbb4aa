--[[
The event log. Events are written where things happen; its length is seen to once in several calls of a channel, the
first of them included.

@writes events
]]
-- @include step
local CALLS = 4

-- A number that others stored and Redis does not take would stop every call at its end.
local function trimEvents(step, sequence)
  if sequence % CALLS == 1 then
    local most = tonumber(step.maxEvents or DEFAULT_MAX_EVENTS)
    if not (most and most >= 0 and most <= LAST_TIME) then
      most = DEFAULT_MAX_EVENTS
    end
    redis.call('XTRIM', step.events, 'MAXLEN', '~', string.format('%d', most))
  end
end
