--[[
Scores of sets that are ordered by time: twelve bits below the millisecond keep the order of adding.
]]
local SLOTS = 4096

-- The lowest free place of a millisecond, or its last one.
local function scoreAt(key, time)
  local lowest = time * SLOTS
  local highest = lowest + SLOTS - 1
  local last = redis.call('ZREVRANGEBYSCORE', key, highest, lowest, 'WITHSCORES', 'LIMIT', '0', '1')
  if last[2] then
    return math.min(tonumber(last[2]) + 1, highest)
  end
  return lowest
end

-- The highest score of what is due at a time.
local function lastScoreOf(time)
  return string.format('%d', (time + 1) * SLOTS - 1)
end
