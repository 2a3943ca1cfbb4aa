--[[
What the reply to a claim leaves out when it is stored, for a call that is made again.

@rare
]]
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
