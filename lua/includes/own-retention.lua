--[[
What is kept of a job by its own options, where no worker says it. Storage protocol, section 17.2.

@rare
]]
-- @include stored-options
local ALL = -1
local DEFAULT_LIMIT = 1000

local function atLeast(value, least)
  return type(value) == 'number' and value >= least and value or nil
end

local function numberText(number)
  return string.format('%.17g', number)
end

local function keptCount(count)
  return numberText(atLeast(count, 0) and math.floor(count) or ALL)
end

-- Retention of a job that fails, as outcomes have it.
local function retentionOnFail(optionsText)
  local option = optionsText and readOptions(optionsText).removeOnFail
  if option == true then
    option = 0
  end
  if type(option) ~= 'table' then
    return keptCount(option) .. '::' .. DEFAULT_LIMIT
  end
  local age, limit = atLeast(option.age, 0), atLeast(option.limit, 1)
  local ageText = age and numberText(age * 1000) or ''
  return keptCount(option.count) .. ':' .. ageText .. ':' .. numberText(limit and math.floor(limit) or DEFAULT_LIMIT)
end
