--[[
Job schedulers that other clients stored: the iteration that starts plans the next one. An interval is computed here;
a cron pattern by the worker, which is told of it.

@rare
@writes repeat
]]
-- @include jobs
-- @include stored-options
local function iterationId(scheduler, due)
  return 'repeat:' .. scheduler .. ':' .. string.format('%d', due)
end

-- What is outstanding, if it is this job: each iteration plans one successor, whoever runs it and however often.
local function outstandingDue(step, scheduler, id)
  local due = redis.call('ZSCORE', step.base .. 'repeat', scheduler)
  if due and iterationId(scheduler, tonumber(due)) == id then
    return tonumber(due)
  end
  return nil
end

local function nextOfInterval(step, previous, every, offset)
  local following = previous + every
  if following < step.now then
    following = math.floor(step.now / every) * every + offset
    if following <= step.now then
      following = following + every
    end
  end
  return math.floor(following)
end

-- The repeat options of the running iteration, unless it was the last.
local function repeatOf(step, options)
  local terms = optionsOf(options, 'repeat')
  local limit, ending = tonumber(terms.limit or nil), tonumber(terms.endDate or nil)
  if (limit and tonumber(terms.count or 0) + 1 > limit) or (ending and step.now > ending) then
    return nil
  end
  return terms
end

local function addIteration(step, scheduler, due, options, definition)
  local id = iterationId(scheduler, due)
  local job = step.base .. id
  if redis.call('EXISTS', job) == 1 then
    redis.call('XADD', step.events, '*', 'event', 'duplicated', 'jobId', id)
    return nil
  end
  local key = step.base .. 'repeat'
  redis.call('ZADD', key, due, scheduler)
  redis.call('HINCRBY', key .. ':' .. scheduler, 'ic', '1')
  redis.call('INCR', step.base .. 'id')
  local terms = optionsOf(options, 'repeat')
  terms.count = tonumber(terms.count or 0) + 1
  options['repeat'] = terms
  options.jobId = id
  options.delay = math.max(0, due - step.now)
  options.timestamp = step.now
  options.repeatJobKey = scheduler
  options.prevMillis = terms.pattern and due or nil
  redis.call('HSET', job, 'rjk', scheduler)
  addByItself(step, id, definition.name, definition.data or '{}', cjson.encode(options), options)
  return id
end

local function definitionOf(step, scheduler)
  local fields = redis.call(
    'HMGET', step.base .. 'repeat:' .. scheduler,
    'name', 'data', 'every', 'pattern', 'tz', 'startDate', 'offset', 'ic'
  )
  if not fields[1] or not fields[8] then
    return nil
  end
  return {
    name = fields[1],
    data = fields[2],
    every = tonumber(fields[3] or nil),
    pattern = fields[4],
    tz = fields[5],
    startDate = fields[6],
    offset = tonumber(fields[7] or 0),
  }
end

-- What follows an iteration, if it is the outstanding one and not the last.
local function successorOf(step, scheduler, id, optionsText)
  local due = outstandingDue(step, scheduler, id)
  local definition = due and definitionOf(step, scheduler)
  if not definition then
    return nil
  end
  local options = readOptions(optionsText)
  local terms = repeatOf(step, options)
  if not terms then
    return nil
  end
  local every = tonumber(definition.every or terms.every or nil)
  return {
    due = due,
    ending = tonumber(terms.endDate or nil) or math.huge,
    every = every and every > 0 and every or nil,
    definition = definition,
    options = options,
  }
end

-- Ends the row of an iteration with what the worker needs to know in order to plan what follows.
local function tellPattern(step, row, successor)
  local definition, last = successor.definition, #row
  row[last + 1] = 'ln:pattern'
  row[last + 2] = definition.pattern
  row[last + 3] = 'ln:after'
  row[last + 4] = string.format('%d', math.max(step.now, successor.due))
  row[last + 5] = 'ln:tz'
  row[last + 6] = definition.tz or ''
  row[last + 7] = 'ln:start'
  row[last + 8] = definition.startDate or ''
end

-- Plans what follows a job that starts. For a pattern, the row tells what the worker needs to know.
-- @return whether it does
local function planNext(step, row, scheduler, id, optionsText)
  local successor = successorOf(step, scheduler, id, optionsText)
  if not successor then
    return false
  end
  local definition = successor.definition
  if successor.every then
    local following = nextOfInterval(step, successor.due, successor.every, definition.offset)
    addIteration(step, scheduler, following, successor.options, definition)
    return false
  end
  if definition.pattern then
    tellPattern(step, row, successor)
    return true
  end
  return false
end

-- Tells again of what is not planned yet, when a claim is answered again.
local function tellAgain(step, row, id)
  local fields = redis.call('HMGET', step.base .. id, 'rjk', 'opts')
  local successor = fields[1] and fields[2] and successorOf(step, fields[1], id, fields[2])
  if successor and not successor.every and successor.definition.pattern then
    tellPattern(step, row, successor)
  end
end
