--[[
Answering a claim that is made again.

@rare
]]
-- @include step
-- @include calls
-- @include records
-- @include schedulers
-- Ids and records of the jobs of a call that ran before, as far as they are leased under its token still.
local function leasedStill(step, idsText, request)
  local ids, rows, mark, from = {}, {}, request.mark, 1
  while idsText ~= '' and from do
    local start, stop = string.find(idsText, mark, from, true)
    local id = string.sub(idsText, from, start and start - 1)
    if redis.call('GET', step.base .. id .. ':lock') == request.token then
      local row = redis.call('HGETALL', step.base .. id)
      if #row > 0 then
        tellAgain(step, row, id)
        ids[#ids + 1] = id
        rows[#rows + 1] = row
      end
    end
    from = stop and stop + 1
  end
  return table.concat(ids, mark), recordsOf(rows)
end

-- The reply to a claim that is not to run: that of the first time, with the records as they are now, or the refusal.
local function claimAgain(base, now, recalled, request)
  if recalled[1] ~= REPLAYED then
    return recalled
  end
  local kept, mark = recalled[2], request.mark
  local start, stop = string.find(kept, mark, 1, true)
  if not start then
    return { REPLAYED_TEXT .. kept }
  end
  local ids, rows = leasedStill(openStep(base, now), string.sub(kept, stop + 1), request)
  return { REPLAYED_TEXT .. string.sub(kept, 1, start - 1), ids, rows }
end
