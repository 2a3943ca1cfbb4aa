--[[
Drops the oldest events beyond a number.

@keys base
@args now caller channel sequence notAfter maxLength mostTrimmed
@result status now removed more
@refusals none
@events none
@bound as many events as the call says
@numbered
]]
-- @include step
-- @include calls
local now, caller, channel, sequence, notAfter, maxLength, mostTrimmed = unpack(ARGV, 1, 7)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
local length, wanted = redis.call('XLEN', step.events), tonumber(maxLength)
local removed = math.min(math.max(0, length - wanted), tonumber(mostTrimmed))
if removed > 0 then
  redis.call('XTRIM', step.events, 'MAXLEN', string.format('%d', length - removed))
end
return answer(step, known, { now, removed, length - removed > wanted and 1 or 0 })
