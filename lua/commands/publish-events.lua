--[[
Writes events of an application's own. `fields` is a JSON array of names and values in turn, `maxEvents` how many events
the log is to keep, or nothing.

@keys base
@args now caller channel sequence notAfter
@each name fields maxEvents
@result status now
@refusals none
@events none
@bound the events of the call
@numbered
]]
-- @include step
-- @include calls
-- @include events
local now, caller, channel, sequence, notAfter = unpack(ARGV, 1, 5)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
for at = 6, #ARGV, 3 do
  local name, fields, maxEvents = unpack(ARGV, at, at + 2)
  local entry = cjson.decode(fields)
  if maxEvents == '' then
    redis.call('XADD', step.events, '*', 'event', name, unpack(entry))
  else
    redis.call('XADD', step.events, 'MAXLEN', '~', maxEvents, '*', 'event', name, unpack(entry))
  end
end
trimEvents(step, sequence)
return answer(step, known, { now })
