--[[
Records of claimed jobs on their way to the caller.
]]
-- Records travel as one text of JSON, which Redis writes at once: lists cost several times as much, as would a text per
-- record, many of which Lua takes for the same at first sight.
local function recordsOf(rows)
  return #rows > 0 and cjson.encode(rows) or ''
end
