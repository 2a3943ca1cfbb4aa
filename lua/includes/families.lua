--[[
What the end of a job does to others: to the owner of a deduplication id, to a parent.

@rare
@writes job
]]
-- @include refusals
-- @include parents
-- @include deduplication
-- @include finishing
-- @return the parent, for what its child's end means to it
local function parentAfter(step, settlement, id, fields)
  if fields[3] then
    finishDeduplication(step, id, fields[3])
  end
  if fields[2] then
    writeFinished(step, settlement)
    return parentOf(step, fields[2], redis.call('HGET', step.base .. id, 'parent'))
  end
  return nil
end

local function childrenRefusal(job)
  if redis.call('EXISTS', job .. ':dependencies') == 1 then
    return PENDING_CHILDREN
  end
  if redis.call('EXISTS', job .. ':unsuccessful') == 1 then
    return FAILED_CHILDREN
  end
  return nil
end
