--[[
What claims answer: a text of numbers with blanks between, and, if there are jobs, one of ids and one of records.
]]
-- @include calls
-- Who moves jobs one at a time looks how many are active with every so many calls.
local LOOKS = 4

-- Records travel as one text of JSON. Lists cost several times as much, as would a text per record, many of which Lua
-- takes for the same at first sight.
local function recordsOf(rows)
  return #rows > 0 and cjson.encode(rows) or ''
end

-- Ends a call that ran. What it keeps leaves out the records.
-- @param numbers without the status, as text
-- @return the reply
local function answerClaim(step, known, request, numbers, ids, rows)
  if step.hasMoved and known.sequence % LOOKS == 0 then
    step.activeLength = redis.call('LLEN', step.active)
  end
  if ids == '' then
    remember(step, known, numbers, request.leaseDuration)
    return { RAN_TEXT .. numbers }
  end
  remember(step, known, numbers .. request.mark .. ids, request.leaseDuration)
  return { RAN_TEXT .. numbers, ids, rows }
end
