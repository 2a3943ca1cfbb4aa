--[[
The event log. Events are written where things happen; its length is seen to once a step.

@writes events
]]
local function trimEvents(step)
  redis.call('XTRIM', step.events, 'MAXLEN', '~', step.maxEvents or 10000)
end
