--[[
What a job carries besides its data and options: its headers, and the version of the form of its data.

@rare
@writes job
]]
-- @param notes as in `@2@35`: the version, and how many bytes of `text` are headers; either may be missing
-- @return the fields of the record that hold them, each with its value, and what stands behind the headers
local function readNotes(notes, text)
  local version, size = string.match(notes, '^@(%d*)@(%d*)$')
  local fields = {}
  if version ~= '' then
    fields[1] = 'ln:version'
    fields[2] = version
  end
  if size ~= '' then
    fields[#fields + 1] = 'ln:headers'
    fields[#fields + 1] = string.sub(text, 1, size)
    text = string.sub(text, size + 1)
  end
  return fields, text
end

local function storeNotes(step, id, fields)
  redis.call('HSET', step.base .. id, unpack(fields))
end
