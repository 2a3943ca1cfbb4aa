--[[
Parents of flows that other clients stored: what a child's end does to its parent.

@rare
@writes waiting-children dependencies processed failed unsuccessful
]]
-- @include step
-- @include ready
-- @include delayed

-- Where a parent lives, and what its child asked for in case of failure. Older children name only its key. What names
-- no job is no parent.
local function parentOf(step, parentKey, parentText)
  local base, id, policies = string.match(parentKey, '^(.*:)([^:]*)$'), nil, {}
  if parentText then
    local isRead, parent = pcall(cjson.decode, parentText)
    if isRead and type(parent) == 'table' and type(parent.queueKey) == 'string' and parent.id then
      base, id, policies = parent.queueKey .. ':', tostring(parent.id), parent
    end
  end
  if not base then
    return nil
  end
  id = id or string.sub(parentKey, #base + 1)
  return { key = parentKey, id = id, step = stepOf(step, base), policies = policies }
end

local function makeParentReady(parent)
  local step, id = parent.step, parent.id
  local fields = redis.call('HMGET', parent.key, 'priority', 'delay')
  local priority, delay = tonumber(fields[1]) or 0, tonumber(fields[2]) or 0
  if delay > 0 then
    holdBack(step, id, step.now + delay)
    return
  end
  makeReady(step, id, priority, true)
  redis.call('XADD', step.events, '*', 'event', 'waiting', 'jobId', id, 'prev', 'waiting-children')
end

local function leaveWaitingChildren(parent)
  return redis.call('ZREM', parent.step.base .. 'waiting-children', parent.id) == 1
end

local function releaseParent(parent)
  if redis.call('EXISTS', parent.key) == 1 and leaveWaitingChildren(parent) then
    makeParentReady(parent)
  end
end

local function releaseParentWithoutChildren(parent)
  if redis.call('EXISTS', parent.key .. ':dependencies') == 0 then
    releaseParent(parent)
  end
end

local function isAwaited(parent, child)
  return redis.call('SREM', parent.key .. ':dependencies', child) == 1
end

local function childCompleted(parent, child, returnValue)
  if isAwaited(parent, child) then
    redis.call('HSET', parent.key .. ':processed', child, returnValue)
    releaseParentWithoutChildren(parent)
  end
end

-- The parent has failed with its child: whoever claims it next has to fail it.
local function failParent(parent, child)
  local step, id = parent.step, parent.id
  redis.call('ZADD', parent.key .. ':unsuccessful', step.now, child)
  if redis.call('EXISTS', parent.key) == 0 then
    return
  end
  local reason = 'child ' .. child .. ' failed'
  if leaveWaitingChildren(parent) then
    redis.call('HSET', parent.key, 'defa', reason)
    makeParentReady(parent)
  elseif redis.call('ZREM', step.delayed, id) == 1 then
    redis.call('HSET', parent.key, 'delay', '0', 'defa', reason)
    makeParentReady(parent)
  elseif not redis.call('ZSCORE', step.base .. 'failed', id) then
    redis.call('HSET', parent.key, 'defa', reason)
  end
end

local function childFailed(parent, child, reason)
  local policies = parent.policies
  local hasPolicy = policies.fpof or policies.cpof or policies.idof or policies.rdof
  if not hasPolicy or not isAwaited(parent, child) then
    return
  end
  if policies.fpof then
    failParent(parent, child)
  elseif policies.cpof then
    redis.call('HSET', parent.key .. ':failed', child, reason)
    releaseParent(parent)
  else
    if policies.idof then
      redis.call('HSET', parent.key .. ':failed', child, reason)
    end
    releaseParentWithoutChildren(parent)
  end
end

-- A child is no more: its parent does not wait for it any longer.
local function childRemoved(parent, child)
  if redis.call('EXISTS', parent.key) == 1 and isAwaited(parent, child) then
    releaseParentWithoutChildren(parent)
  end
end
