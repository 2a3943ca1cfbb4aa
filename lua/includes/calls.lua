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
-- Whether many jobs were active when the caller last claimed.
local ACTIVE_FIELD = 'long'
-- In a list that is longer than this, others may hold what is there.
local LONG = 500
local RAN = 0
local REPLAYED = 1
local STALE = 2
local EXPIRED = 3
-- In replies that are made of texts.
local RAN_TEXT = '0 '
local REPLAYED_TEXT = '1 '

local function slotOf(base, caller)
  return base .. 'ln:c.' .. caller
end

-- Whether a call has to run, and if not, what it is answered: the stored reply, or why it must not run. With it comes
-- what else the slot knows.
local function recall(base, now, caller, channel, sequence, notAfter)
  local slot = slotOf(base, caller)
  local fields = redis.call('HMGET', slot, channel, KEPT_FIELD, UNTIL_FIELD, ACTIVE_FIELD)
  -- What we have written ourselves are numbers. To ask Lua whether a text is one takes twice as long as to use it.
  local number, last, over = sequence + 0, (fields[1] or 0) + 0, notAfter + 0
  if number <= last then
    if number < last then
      return { STALE }
    end
    return { REPLAYED, redis.call('HGET', slot, channel .. ':reply') }
  end
  if now > over then
    return { EXPIRED, now - over }
  end
  return nil,
    {
      caller = caller,
      channel = channel,
      sequence = sequence,
      last = fields[1] or '0',
      -- A call may be made again until its time is over.
      kept = math.max((fields[2] or KEPT) + 0, over + 1 - now),
      untilTime = (fields[3] or 0) + 0,
      isActiveLong = fields[4] == '1',
    }
end

-- Has to come before anything is taken out of its place: a server without memory refuses it, as it does whatever needs
-- more memory, and nothing has changed then. What it writes is there, so that nothing is moved for it.
local function expectMemory(base, known)
  redis.call('HSET', slotOf(base, known.caller), known.channel, known.last)
end

-- A slot outlives its last call by ten minutes, by the longest time that a call of its caller had, and by two of the
-- longest leases that it took. It is given more, so that not every call has to see to it.
-- @param reply as text
local function remember(step, known, reply, leaseDuration)
  if step.hasNewVersion5 then
    noteVersion5(step)
  end
  local slot, channel, sequence = slotOf(step.base, known.caller), known.channel, known.sequence
  local replyField = channel .. ':reply'
  redis.call('HSET', slot, channel, sequence, replyField, reply)
  local isActiveLong = known.isActiveLong
  if step.activeLength then
    isActiveLong = step.activeLength > LONG
  end
  if isActiveLong ~= known.isActiveLong then
    redis.call('HSET', slot, ACTIVE_FIELD, isActiveLong and '1' or '0')
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
  remember(step, known, cmsgpack.pack(reply), leaseDuration or 0)
  return { RAN, unpack(reply) }
end

-- The reply to a call that is not to run: the outcome of the first time, or the refusal.
-- @rare
local function replyAgain(recalled)
  if recalled[1] == REPLAYED then
    return { REPLAYED, unpack(cmsgpack.unpack(recalled[2])) }
  end
  return recalled
end
