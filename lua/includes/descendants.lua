--[[
The jobs below a job in a flow that clients of BullMQ stored.

@rare
@writes job dependencies processed failed unsuccessful
]]
-- @include step
-- @include removal

-- Where a child lives. Ids may hold colons, and are told from the key of their queue where that is known.
local function placeOfChild(step, key)
  if string.sub(key, 1, #step.base) == step.base then
    return step, string.sub(key, #step.base + 1)
  end
  local base, id = string.match(key, '^(.*:)([^:]*)$')
  if not base then
    return nil, nil
  end
  return stepOf(step, base), id
end

-- Children of four kinds, those that have ended first. Of many, some.
local function childrenOf(key, kind, most)
  if kind == ':dependencies' then
    return redis.call('SRANDMEMBER', key .. kind, most)
  end
  if kind == ':unsuccessful' then
    return redis.call('ZRANGE', key .. kind, '0', most - 1)
  end
  return redis.call('HRANDFIELD', key .. kind, most)
end

-- Gathers the jobs below a job, each behind those below it, as far as a call may go.
-- @return whether these are all
local function gatherChildren(family, job)
  for _, kind in ipairs({ ':processed', ':failed', ':unsuccessful', ':dependencies' }) do
    local children = childrenOf(job.key, kind, MOST_REMOVED + 1)
    table.sort(children)
    for _, key in ipairs(children) do
      if not family.known[key] then
        if family.seen == MOST_REMOVED then
          return false
        end
        family.seen = family.seen + 1
        family.known[key] = true
        local step, id = placeOfChild(job.step, key)
        local child = step and readJob(step, id)
        if child then
          family.hasLocked = family.hasLocked or isLocked(child)
          if not gatherChildren(family, child) then
            return false
          end
        end
        family.links[#family.links + 1] = { parent = job.key, kind = kind, key = key, child = child }
      end
    end
  end
  return true
end

-- Parts a parent, which is to be removed later, from what is removed now, so that it does not wait for it.
local function unlink(link)
  local key = link.parent .. link.kind
  if link.kind == ':dependencies' then
    redis.call('SREM', key, link.key)
  elseif link.kind == ':unsuccessful' then
    redis.call('ZREM', key, link.key)
  else
    redis.call('HDEL', key, link.key)
  end
end
