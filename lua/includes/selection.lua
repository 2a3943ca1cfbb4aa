--[[
Jobs of one place or several that are looked at in order, and taken out of it or kept.

@writes wait paused active prioritized delayed completed failed waiting-children stalled
]]
-- @include claim
-- @include lists
-- @include removal
local function listPlace(step, name)
  return { key = step.base .. name, isList = true, isActive = name == 'active' }
end

-- `before`: from which score on members are too young; nil for none.
local function setPlace(step, name, before)
  return { key = step.base .. name, before = before }
end

local function lengthOfPlace(place)
  if place.isList then
    return redis.call('LLEN', place.key)
  end
  return redis.call('ZCARD', place.key)
end

local function idsAt(place, first, count)
  if place.isList then
    return idsFromFront(place.key, first, first + count - 1)
  end
  if place.before then
    -- Scores of one millisecond have fractions.
    local beyond = '(' .. string.format('%d', place.before + 1)
    return redis.call('ZRANGEBYSCORE', place.key, '-inf', beyond, 'LIMIT', first, count)
  end
  return redis.call('ZRANGE', place.key, first, first + count - 1)
end

-- An id without a job goes with the others, but for those that old clients use as markers.
local function isGarbage(step, place, id)
  if place.isDoomed then
    return true
  end
  return not isMarker(id) and not (place.isActive and redis.call('EXISTS', step.base .. id .. ':lock') == 1)
end

-- Members of a list are first made into what no job is called: each by itself would be searched for.
local function takeOut(step, place, taken)
  if #taken.ids == 0 then
    return
  end
  if place.isList then
    for _, position in ipairs(taken.positions) do
      redis.call('LSET', place.key, -position, '')
    end
    redis.call('LREM', place.key, -#taken.ids, '')
  else
    redis.call('ZREM', place.key, unpack(taken.ids))
  end
  if place.isActive then
    redis.call('SREM', step.base .. 'stalled', unpack(taken.ids))
    freeRoom(step)
  end
end

local function selectAt(step, place, first, selection, isMeant)
  local ids = idsAt(place, first, selection.most - selection.seen)
  selection.seen = selection.seen + #ids
  local taken, jobs = { ids = {}, positions = {} }, selection.jobs
  for index, id in ipairs(ids) do
    if #jobs == selection.wanted then
      break
    end
    local job = readJob(step, id)
    local goes = job and isMeant(job)
    if goes then
      jobs[#jobs + 1] = job
    elseif not job then
      goes = isGarbage(step, place, id)
    end
    if goes then
      taken.ids[#taken.ids + 1] = id
      taken.positions[#taken.positions + 1] = first + index
    else
      selection.kept = selection.kept + 1
    end
  end
  takeOut(step, place, taken)
end

-- Takes jobs out of their places: those that are meant, behind the first ones that are known to be kept.
-- @return its `jobs`, how many were `kept`, those passed over included, and how many ids were `seen`
local function selectJobs(step, places, kept, most, wanted, isMeant)
  local selection = { jobs = {}, seen = 0, kept = kept, most = most, wanted = wanted }
  local offset = kept
  for _, place in ipairs(places) do
    local length = lengthOfPlace(place)
    if offset >= length then
      offset = offset - length
    elseif selection.seen < most then
      selectAt(step, place, offset, selection, isMeant)
      offset = 0
    end
  end
  return selection
end
