--[[
Removal of finished jobs that nobody wants to keep: by age, then by number, the oldest first.

@rare
@writes completed failed
]]
-- @include jobs
-- @include parents
local MAX_REMOVED = 1000

local function removeFinished(step, set, ids)
  if #ids == 0 then
    return
  end
  redis.call('ZREM', set, unpack(ids))
  for _, id in ipairs(ids) do
    local job = step.base .. id
    local family = redis.call('HMGET', job, 'parentKey', 'parent')
    local parent = family[1] and parentOf(step, family[1], family[2])
    if parent then
      childRemoved(parent, job)
    end
    deleteRecord(job)
  end
end

-- How many of the oldest go by both bounds, when jobs finish one after the other and the limit stops some of them: each
-- finish removes by age, then by number, and what it leaves is there for the next one.
local function surplusOneByOne(terms, finishes, size, old)
  local removed, left = 0, size - finishes
  for _ = 1, finishes do
    left = left + 1
    local byAge = math.min(terms.limit, math.max(0, math.min(old - removed, left)))
    local byNumber = math.min(terms.limit, math.max(0, left - byAge - terms.count))
    removed = removed + byAge + byNumber
    left = left - byAge - byNumber
  end
  return math.min(removed, MAX_REMOVED)
end

local function removeOldest(step, set, surplus)
  if surplus > 0 then
    removeFinished(step, set, redis.call('ZRANGE', set, '0', surplus - 1))
  end
end

-- `finishes`: how many jobs have finished on these terms, each of which may remove `limit` by each bound.
local function removeSurplus(step, set, terms, finishes)
  local most = math.min(terms.limit * finishes, MAX_REMOVED)
  if terms.age then
    -- Scores of one millisecond have fractions.
    local beyond = '(' .. string.format('%d', math.max(0, math.floor(step.now - terms.age) + 1))
    local old = redis.call('ZRANGEBYSCORE', set, '-inf', beyond, 'LIMIT', '0', math.min(2 * most, MAX_REMOVED))
    if terms.count > 0 and finishes > 1 then
      local size = redis.call('ZCARD', set)
      if #old > terms.limit or size - terms.count > terms.limit then
        removeOldest(step, set, surplusOneByOne(terms, finishes, size, #old))
        return
      end
    end
    for index = #old, most + 1, -1 do
      old[index] = nil
    end
    removeFinished(step, set, old)
  end
  if terms.count > 0 then
    removeOldest(step, set, math.min(redis.call('ZCARD', set) - terms.count, most))
  end
end
