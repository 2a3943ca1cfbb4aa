--[[
Reading: where jobs stand.
]]

-- The state of a job whose record is there. One that is in no other place waits: looking for it in a list of a
-- million would hold everybody up.
local function stateOf(step, id, processedOn)
  local base = step.base
  if redis.call('ZSCORE', base .. 'completed', id) then
    return 'completed'
  end
  if redis.call('ZSCORE', base .. 'failed', id) then
    return 'failed'
  end
  if redis.call('ZSCORE', step.delayed, id) then
    return 'delayed'
  end
  if redis.call('ZSCORE', step.prioritized, id) then
    return 'prioritized'
  end
  if redis.call('ZSCORE', base .. 'waiting-children', id) then
    return 'waiting-children'
  end
  if processedOn and redis.call('LPOS', step.active, id) then
    return 'active'
  end
  return 'waiting'
end
