--[[
Removal of finished jobs that nobody wants to keep: by age, then by number, the oldest first.

@writes completed failed
]]
-- @include jobs
-- @include parents
local MAX_REMOVED = 2000

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

-- `finishes`: how many jobs have finished on these terms, each of which may remove `limit` by each bound.
local function removeSurplus(step, set, terms, finishes)
  local most = math.min(terms.limit * finishes, MAX_REMOVED)
  if terms.age then
    -- Scores of one millisecond have fractions.
    local beyond = '(' .. string.format('%d', math.max(0, math.floor(step.now - terms.age) + 1))
    removeFinished(step, set, redis.call('ZRANGEBYSCORE', set, '-inf', beyond, 'LIMIT', '0', most))
  end
  if terms.count > 0 then
    local surplus = math.min(redis.call('ZCARD', set) - terms.count, most)
    if surplus > 0 then
      removeFinished(step, set, redis.call('ZRANGE', set, '0', surplus - 1))
    end
  end
end
