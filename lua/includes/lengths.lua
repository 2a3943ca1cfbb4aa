--[[
How many jobs there are in a list. A marker of an old client at its end is none.
]]
local function lengthOf(list)
  local last = redis.call('LINDEX', list, '-1')
  local length = redis.call('LLEN', list)
  if last and string.sub(last, 1, 2) == '0:' then
    return length - 1
  end
  return length
end
