--[[
Numbered calls: a channel's reply slot holds its last number and what was answered, so that a call which is made
again takes effect once.

@writes ln:c
]]
-- @include step
local KEPT = 600000
local SLACK = 300000
local KEPT_FIELD = 'kept'
local UNTIL_FIELD = 'until'
local ACTIVE_FIELD = 'active'
local RAN = 0
local REPLAYED = 1
local STALE = 2
local EXPIRED = 3

local function slotOf(base, caller)
  return base .. 'ln:c.' .. caller
end

-- Whether a call has to run, and if not, what it is answered: the stored reply, or why it must not run. With it comes
-- what else the slot knows.
local function recall(base, now, caller, channel, sequence, notAfter)
  local slot = slotOf(base, caller)
  local fields = redis.call('HMGET', slot, channel, KEPT_FIELD, UNTIL_FIELD, ACTIVE_FIELD)
  local last = tonumber(fields[1] or nil)
  local number = tonumber(sequence)
  if last and number <= last then
    if number < last then
      return { STALE }
    end
    return { REPLAYED, redis.call('HGET', slot, channel .. ':reply') }
  end
  if now > tonumber(notAfter) then
    return { EXPIRED, now - tonumber(notAfter) }
  end
  return nil,
    {
      caller = caller,
      channel = channel,
      sequence = sequence,
      -- A call may be made again until its time is over.
      kept = math.max(tonumber(fields[2] or KEPT), tonumber(notAfter) + 1 - now),
      untilTime = tonumber(fields[3] or 0),
      -- How many jobs were active when the caller last claimed.
      active = tonumber(fields[4] or 0),
    }
end

-- Has to come before anything is taken out of its place: a server without memory refuses it, as it does whatever needs
-- more memory, and nothing has changed then.
local function expectMemory(base, caller, channel)
  redis.call('HSET', slotOf(base, caller), channel .. ':reply', '')
end

-- A slot outlives its last call by ten minutes, by the longest time that a call of its caller had, and by two of the
-- longest leases that it took. It is given more, so that not every call has to see to it.
local function remember(step, known, reply, leaseDuration)
  if step.hasNewVersion5 then
    noteVersion5(step)
  end
  local slot, channel, sequence = slotOf(step.base, known.caller), known.channel, known.sequence
  local replyField, packed = channel .. ':reply', cmsgpack.pack(reply)
  if step.activeLength then
    redis.call('HSET', slot, channel, sequence, replyField, packed, ACTIVE_FIELD, step.activeLength)
  else
    redis.call('HSET', slot, channel, sequence, replyField, packed)
  end
  local kept = math.max(known.kept, 2 * leaseDuration)
  if known.untilTime < step.now + kept then
    local untilText = endOf(step, kept + SLACK)
    redis.call('HSET', slot, KEPT_FIELD, kept, UNTIL_FIELD, untilText)
    redis.call('PEXPIREAT', slot, untilText)
  end
end

-- Ends a call that ran. Those that claim keep less than they answer, and do without.
-- @return the reply
local function answer(step, known, reply, leaseDuration)
  remember(step, known, reply, leaseDuration or 0)
  return { RAN, unpack(reply) }
end

-- The reply to a call that is not to run: the outcome of the first time, or the refusal.
local function replyAgain(recalled)
  if recalled[1] == REPLAYED then
    return { REPLAYED, unpack(cmsgpack.unpack(recalled[2])) }
  end
  return recalled
end
