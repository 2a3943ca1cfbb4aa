--[[
Reads a part of the jobs of one state, and tells how many ids stand there: some may have no job.

@keys base
@args now state offset limit isDescending
@result ids records seen
@refusals none
@events none
@bound the jobs of the page
]]
-- @include step
-- @include lists
local now, state, offset, limit, isDescending = unpack(ARGV, 1, 5)
local base = KEYS[1]
local step = openStep(base, timeOf(now))
local SOURCES = {
  waiting = { 'list', base .. 'paused', base .. 'wait' },
  active = { 'list', step.active },
  prioritized = { 'set', step.prioritized },
  delayed = { 'set', step.delayed },
  completed = { 'set', base .. 'completed' },
  failed = { 'set', base .. 'failed' },
  ['waiting-children'] = { 'set', base .. 'waiting-children' },
}

local function rangeOfList(key, first, last, descends)
  if descends then
    return redis.call('LRANGE', key, first, last)
  end
  return idsFromFront(key, first, last)
end

local function rangeOfSet(key, first, last, descends)
  if descends then
    return redis.call('ZREVRANGE', key, first, last)
  end
  return redis.call('ZRANGE', key, first, last)
end

-- Positions run over both lists: what is in `paused` is older than what is in `wait`.
local function rangeOf(source, first, last, descends)
  if source[1] == 'set' then
    return rangeOfSet(source[2], first, last, descends)
  end
  if not source[3] then
    return rangeOfList(source[2], first, last, descends)
  end
  local near, far = source[2], source[3]
  if descends then
    near, far = far, near
  end
  local length = redis.call('LLEN', near)
  local ids = {}
  if first < length then
    ids = rangeOfList(near, first, math.min(last, length - 1), descends)
  end
  if last >= length then
    for _, id in ipairs(rangeOfList(far, math.max(0, first - length), last - length, descends)) do
      ids[#ids + 1] = id
    end
  end
  return ids
end

local first = tonumber(offset)
local found = rangeOf(SOURCES[state], first, first + tonumber(limit) - 1, isDescending == '1')
local ids, rows = {}, {}
for _, id in ipairs(found) do
  local row = redis.call('HGETALL', base .. id)
  if #row > 0 then
    ids[#ids + 1] = id
    rows[#rows + 1] = row
  end
end
return { ids, rows, #found }
