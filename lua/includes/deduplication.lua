--[[
Deduplication of jobs that other clients stored: the owner of an id gives it up when it finishes, and a payload that
was kept for then is added.

@rare
@writes de dn
]]
-- @include step
-- @include jobs
-- @include stored-options
local function giveUpDeduplicationId(step, id, deduplicationId)
  local key = step.base .. 'de:' .. deduplicationId
  local left = redis.call('PTTL', key)
  if left == 0 or (left == -1 and redis.call('GET', key) == id) then
    redis.call('DEL', key)
  end
end

local function ownDeduplicationId(step, key, id, terms)
  local ttl = tonumber(terms.ttl or 0)
  if ttl > 0 and not terms.keepLastIfActive then
    redis.call('SET', key, id, 'PXAT', endOf(step, ttl))
  else
    redis.call('SET', key, id)
  end
end

-- The id that the kept job was to have, unless a job has it that is still there.
local function idOfKept(step, wanted)
  local counted = redis.call('INCR', step.base .. 'id')
  if wanted and redis.call('EXISTS', step.base .. wanted) == 0 then
    return wanted
  end
  return tostring(counted)
end

local function addKept(step, deduplicationId)
  local key = step.base .. 'dn:' .. deduplicationId
  local kept = redis.call('HMGET', key, 'name', 'data', 'opts', 'jid', 'pk', 'pd', 'pdk', 'rjk')
  if not kept[3] then
    return
  end
  local options = readOptions(kept[3])
  local id = idOfKept(step, kept[4])
  local job = step.base .. id
  redis.call('DEL', key)
  ownDeduplicationId(step, step.base .. 'de:' .. deduplicationId, id, optionsOf(options, 'de'))
  redis.call('HSET', job, 'deid', deduplicationId)
  if kept[5] and kept[6] then
    redis.call('HSET', job, 'parentKey', kept[5], 'parent', kept[6])
  end
  if kept[8] then
    redis.call('HSET', job, 'rjk', kept[8])
  end
  addByItself(step, id, kept[1], kept[2], kept[3], options)
  if kept[7] then
    redis.call('SADD', kept[7], job)
  end
end

local function finishDeduplication(step, id, deduplicationId)
  giveUpDeduplicationId(step, id, deduplicationId)
  addKept(step, deduplicationId)
end
