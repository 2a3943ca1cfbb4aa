--[[
Options as they are stored with a job. What cannot be read counts as none, since an error would stop a script half-way.

@rare
]]
local function readOptions(text)
  local isRead, options = pcall(cjson.decode, text)
  return isRead and type(options) == 'table' and options or {}
end

-- The options of one kind among others, such as those of repetition.
local function optionsOf(options, name)
  local part = options[name]
  return type(part) == 'table' and part or {}
end
