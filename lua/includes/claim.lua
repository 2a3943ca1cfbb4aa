--[[
Leasing the next jobs. `claim-jobs` and `settle-jobs` share it.

@writes wait prioritized active lock
]]
-- @include step
-- @include ready
-- @include delayed
-- @include signals
-- @include schedulers
-- @include limits
-- @include expiry
-- @include records
local MAX_CLAIMED = 200
local MAX_SIZE = 1048576
local MAX_ROUNDS = 10

-- Items of a record that has the fields which every job has: name, data, opts, timestamp, delay and priority.
local NEW = 12

-- As texts, which the reply is made of. The first one is that of a call that claims nothing.
local NOT_ASKED = '-1'
local NOT_IDLE = '0'
local EMPTY = '1'
local PAUSED = '2'
local BLOCKED = '3'
local LIMITED = '4'
local NEVER = '-1'

-- What a caller wants, from the arguments of its command.
local function requestOf(caller, count, leaseDuration, workerName, token, mark, limiter)
  return {
    caller = caller,
    count = count + 0,
    leaseDuration = leaseDuration + 0,
    workerName = workerName,
    token = token,
    mark = mark,
    limiter = limiter,
    -- Noted on the way.
    heedsHand = false,
    window = false,
  }
end

-- @rare
local function dueIn(step)
  local due = dueTime(step)
  return due and string.format('%d', math.max(0, math.floor(due) - step.now)) or NEVER
end

-- A claim that its rate holds back. Others may go by no rate.
-- @return milliseconds until it is over, as text
-- @rare
local function holdBackClaim(step, request, left)
  noteHeldBack(step, request.caller, left)
  if not step.max and hasReady(step) then
    signalWork(step)
  end
  return string.format('%d', left)
end

-- Markers of old clients stand among the ids.
local function isMarker(id)
  return string.byte(id, 2) == 58 and string.byte(id, 1) == 48
end

-- How long the data of a record is. It stands second with whoever adds jobs in the ways of BullMQ.
local function dataSize(row)
  if row[3] == 'data' then
    return #row[4]
  end
  for at = 1, #row, 2 do
    if row[at] == 'data' then
      return #row[at + 1]
    end
  end
  return 0
end

-- What a claim has taken so far.
local function newTaken(step, request, permits)
  return {
    ids = {},
    rows = {},
    count = 0,
    size = 0,
    permits = permits,
    used = 0,
    leaseEnd = endOf(step, request.leaseDuration),
    isFull = false,
    isLimited = false,
    -- Ids of those that had a time to be started in.
    timed = false,
  }
end

-- One job is taken however large it is.
local function isTooMuch(taken, size)
  return taken.count > 0 and taken.size + size > MAX_SIZE
end

-- Leases a job that was taken out of its place. Its record goes to the caller as it was before; what the lease has
-- changed of it the caller knows.
-- @return whether the place has to take it back: a bound of the call is reached
local function lease(step, request, taken, id)
  if isMarker(id) then
    return false
  end
  local job = step.base .. id
  -- What cannot be read, as a key of another type, is no job. An error in here would lose all that were taken out.
  local row = redis.pcall('HGETALL', job)
  if #row == 0 then
    return false
  end
  local started, deferred, scheduler, options, expires = 0, false, nil, nil, nil
  -- The fields of a job that has never run are those that every job has.
  if #row > NEW then
    for at = 1, #row, 2 do
      local field = row[at]
      if field == 'ats' then
        started = tonumber(string.match(row[at + 1], '^%d+$')) or 0
      elseif field == 'defa' then
        deferred = true
      elseif field == 'rjk' then
        scheduler = row[at + 1]
      elseif field == 'opts' then
        options = row[at + 1]
      elseif field == 'ln:cancel' then
        deferred = true
      elseif field == 'ln:expires' then
        expires = tonumber(row[at + 1])
      end
    end
  end
  local size = dataSize(row)
  if isTooMuch(taken, size) then
    taken.isFull = true
    return true
  end
  local isExpired = expires and started == 0 and expires <= step.now
  deferred = deferred or isExpired
  if not deferred then
    if taken.permits == 0 then
      taken.isFull = true
      taken.isLimited = true
      return true
    end
    taken.permits = taken.permits - 1
    taken.used = taken.used + 1
  end
  taken.size = taken.size + size
  redis.call('SET', job .. ':lock', request.token, 'PXAT', taken.leaseEnd)
  local starts = textOf(step, started + 1)
  if request.workerName == '' then
    redis.call('HSET', job, 'processedOn', step.nowText, 'ats', starts)
  else
    redis.call('HSET', job, 'processedOn', step.nowText, 'ats', starts, 'pb', request.workerName)
  end
  redis.call('XADD', step.events, '*', 'event', 'active', 'jobId', id, 'prev', 'waiting')
  if expires then
    taken.timed = taken.timed or {}
    taken.timed[#taken.timed + 1] = id
  end
  if isExpired then
    expire(job, row)
  end
  if scheduler and options then
    -- Nothing that its options say may stop the step.
    pcall(planNext, step, row, scheduler, id, options)
  end
  local count = taken.count + 1
  taken.count = count
  taken.ids[count] = id
  taken.rows[count] = row
  return false
end

-- @return whether it gave up among ids without a job, so that what waits behind them is next still
local function takeWaiting(step, request, taken, room)
  local rounds = 0
  while taken.count < room and not taken.isFull and rounds < MAX_ROUNDS do
    local ids
    if room == 1 then
      -- A single job is taken and made active at once.
      step.hasMoved = redis.call('RPOPLPUSH', step.wait, step.active)
      ids = step.hasMoved and { step.hasMoved }
    else
      ids = redis.call('RPOP', step.wait, textOf(step, room - taken.count))
    end
    if not ids then
      return false
    end
    for index = 1, #ids do
      local isPutBack = lease(step, request, taken, ids[index])
      if step.hasMoved and taken.count == 0 then
        redis.call('LPOP', step.active)
        step.hasMoved = false
      end
      if isPutBack then
        for back = #ids, index, -1 do
          redis.call('RPUSH', step.wait, ids[back])
        end
        return false
      end
    end
    rounds = rounds + 1
  end
  return rounds == MAX_ROUNDS
end

-- @rare
local function takePrioritized(step, request, taken, room)
  local rounds = 0
  while taken.count < room and not taken.isFull and rounds < MAX_ROUNDS do
    local entries = redis.call('ZPOPMIN', step.prioritized, textOf(step, room - taken.count))
    if #entries == 0 then
      return
    end
    for index = 1, #entries, 2 do
      if lease(step, request, taken, entries[index]) then
        for back = index, #entries, 2 do
          redis.call('ZADD', step.prioritized, entries[back + 1], entries[back])
        end
        return
      end
    end
    rounds = rounds + 1
  end
end

local function enterActive(step, taken)
  if taken.count > 0 and not step.hasMoved then
    step.activeLength = redis.call('LPUSH', step.active, unpack(taken.ids))
  end
  if taken.timed then
    forgetExpiries(step, taken.timed)
  end
end

-- Why fewer jobs came than were wanted, and wake-ups for those that remain.
local function afterTaking(step, request, taken, wanted, room)
  local claimed = taken.count
  if hasReady(step) then
    if taken.isLimited then
      return LIMITED, holdBackClaim(step, request, math.max(0, leftOf(step)))
    end
    if claimed >= room and room < wanted then
      return BLOCKED, dueIn(step)
    end
    signalWork(step)
    return NOT_IDLE, NEVER
  end
  signalDelayed(step)
  if claimed < wanted then
    if claimed == 0 then
      -- Places among equals are counted anew: nobody is there, and who comes back goes before the first one.
      redis.call('DEL', step.base .. 'pc')
    end
    return EMPTY, dueIn(step)
  end
  return NOT_IDLE, NEVER
end

-- Ids travel as one text, with a mark of the caller's between any two.
--
-- @return ids and records of the jobs, why there are no more, and milliseconds until there may be some, all as texts
local function claim(step, request)
  promoteDue(step)
  if step.paused then
    return '', '', PAUSED, dueIn(step)
  end
  local wanted = math.min(request.count, MAX_CLAIMED)
  local room = wanted
  if step.ceiling then
    room = math.min(room, math.ceil(step.ceiling) - redis.call('LLEN', step.active))
    if room <= 0 then
      return '', '', BLOCKED, dueIn(step)
    end
  end
  local permits = math.huge
  if step.max or request.limiter ~= '' or request.heedsHand then
    local limitedFor
    permits, limitedFor = permitsOf(step, request)
    if limitedFor > 0 then
      return '', '', LIMITED, holdBackClaim(step, request, limitedFor)
    end
  end
  local taken = newTaken(step, request, permits)
  local mayBeMore = takeWaiting(step, request, taken, room)
  if not mayBeMore and taken.count < room and not taken.isFull then
    takePrioritized(step, request, taken, room)
  end
  enterActive(step, taken)
  if request.window and taken.used > 0 then
    countPermits(step, request.window, taken.used)
  end
  return table.concat(taken.ids, request.mark), recordsOf(taken.rows), afterTaking(step, request, taken, wanted, room)
end
