--[[
What moves of given jobs, or of the first ones of a state, have in common.
]]
-- Reads fields of a job. There is none unless it says when it was added: a claim by BullMQ leaves other fields where a
-- job was removed, and an id may be the name of some other key of the queue.
-- @return the fields, or nil
local function fieldsOf(step, id, ...)
  local fields = redis.pcall('HMGET', step.base .. id, 'timestamp', ...)
  if fields.err or not fields[1] then
    return nil
  end
  return fields
end

-- Takes the first jobs of a set out of it, up to a score.
-- @return their ids, and 1 if there are more, else 0
local function takeFirst(key, count, highest)
  local most = tonumber(count)
  local ids = redis.call('ZRANGEBYSCORE', key, '-inf', highest, 'LIMIT', '0', most + 1)
  local more = 0
  if #ids > most then
    ids[#ids] = nil
    more = 1
  end
  if #ids > 0 then
    redis.call('ZREM', key, unpack(ids))
  end
  return ids, more
end
