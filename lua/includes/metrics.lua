--[[
Counts of finished jobs, by the minute. Storage protocol, section 12.

@rare
@writes metrics
]]
-- @include ready
-- `finishes`: how many jobs have come into each state.
local function countFinished(step, finishes, maxDataPoints)
  local function count(state, ended)
    local key = step.base .. 'metrics:' .. state
    local before = redis.call('HINCRBY', key, 'count', ended) - ended
    local fields = redis.call('HMGET', key, 'prevTS', 'prevCount')
    local previous = tonumber(fields[1] or nil)
    if not previous then
      redis.call('HSET', key, 'prevTS', step.nowText, 'prevCount', '0')
      return
    end
    local minutes = math.min(math.floor(step.now / 60000) - math.floor(previous / 60000), maxDataPoints)
    if minutes > 0 then
      -- What was counted since the last point, and a 0 for each minute that nobody was there in.
      local points = { before - (tonumber(fields[2]) or 0) }
      for place = 2, minutes do
        points[place] = 0
      end
      pushAll('LPUSH', key .. ':data', points)
      redis.call('LTRIM', key .. ':data', '0', maxDataPoints - 1)
      redis.call('HSET', key, 'prevTS', step.nowText, 'prevCount', before)
    end
  end
  for state, ended in pairs(finishes) do
    if ended > 0 then
      -- What others stored under these keys may be anything, and must not keep jobs from being finished.
      pcall(count, state, ended)
    end
  end
end
