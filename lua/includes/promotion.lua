--[[
Delayed jobs that become ready.

@rare
@writes job
]]
-- @include ready
-- @include expiry
-- Makes delayed jobs ready, in order, that were taken out of their places. An id without a job is dropped.
-- @param isEarly whether their time has not come
-- @return how many jobs there are
local function promote(step, ids, isEarly)
  local plain, prioritized = {}, {}
  for _, id in ipairs(ids) do
    local job = step.base .. id
    local priority = redis.call('HGET', job, 'priority')
    if priority or redis.call('EXISTS', job) == 1 then
      priority = tonumber(priority) or 0
      if priority > 0 then
        prioritized[#prioritized + 1] = id
        prioritized[#prioritized + 1] = priority
      else
        plain[#plain + 1] = id
      end
      redis.call('HSET', job, 'delay', '0')
      if isEarly then
        countExpiry(step, id, step.now)
      end
      redis.call('XADD', step.events, '*', 'event', 'waiting', 'jobId', id, 'prev', 'delayed')
    end
  end
  if #plain > 0 then
    appendWaiting(step, plain)
  end
  if #prioritized > 0 then
    appendPrioritized(step, prioritized)
  end
  return #plain + #prioritized / 2
end
