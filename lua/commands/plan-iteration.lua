--[[
Adds the next iteration of a job scheduler with a cron pattern, whose time the worker of the present one computed. An
iteration that is not the outstanding one (any more) plans nothing, nor does one whose scheduler ends before that time.

@keys base
@args now caller channel sequence notAfter id due
@result status now planned
@refusals none
@events added waiting delayed duplicated
@bound constant
@numbered
]]
-- @include step
-- @include calls
-- @include events
-- @include signals
-- @include schedulers
local now, caller, channel, sequence, notAfter, id, due = unpack(ARGV, 1, 7)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

expectMemory(base, known)
local step = openStep(base, now)
local fields = redis.call('HMGET', base .. id, 'rjk', 'opts')
local planned = ''
local successor = fields[1] and fields[2] and successorOf(step, fields[1], id, fields[2])
if successor and tonumber(due) <= successor.ending then
  planned = addIteration(step, fields[1], tonumber(due), successor.options, successor.definition) or ''
end
signal(step)
trimEvents(step, sequence)
return answer(step, known, { now, planned })
