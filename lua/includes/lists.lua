--[[
Lists of ids, whose tail is their front.
]]
-- Ids by their positions from the front, counted from 0.
local function idsFromFront(key, first, last)
  local ids = redis.call('LRANGE', key, -last - 1, -first - 1)
  local turned = {}
  for index = #ids, 1, -1 do
    turned[#turned + 1] = ids[index]
  end
  return turned
end
