--[[
Lengthens leases.

@keys base
@args now caller channel sequence notAfter leaseDuration
@each id token
@result status now refusals cancels; cancels has an id, a token and a reason for each job that was cancelled
@refusals job-not-found lease-missing lease-mismatch
@events none
@bound the leases of the call
@numbered
]]
-- @include step
-- @include calls
-- @include refusals
local now, caller, channel, sequence, notAfter, leaseDuration = unpack(ARGV, 1, 6)
local base = KEYS[1]
now = timeOf(now)
local recalled, known = recall(base, now, caller, channel, sequence, notAfter)
if recalled then
  return replyAgain(recalled)
end

local step = openStep(base, now)
local leaseEnd = endOf(step, tonumber(leaseDuration))
local refusals, renewed, cancels = {}, {}, {}
for at = 7, #ARGV, 2 do
  local id, token = unpack(ARGV, at, at + 1)
  local job = base .. id
  local lock = job .. ':lock'
  local holder = redis.call('GET', lock)
  local refusal = 0
  -- A key of another type is there as well.
  local fields = redis.pcall('HMGET', job, 'name', 'ln:cancel')
  if not (fields.err or fields[1] or redis.call('EXISTS', job) == 1) then
    refusal = JOB_NOT_FOUND
  elseif not holder then
    refusal = LEASE_MISSING
  elseif holder ~= token then
    refusal = LEASE_MISMATCH
  else
    redis.call('SET', lock, token, 'PXAT', leaseEnd)
    renewed[#renewed + 1] = id
    if fields[2] then
      local last = #cancels
      cancels[last + 1], cancels[last + 2], cancels[last + 3] = id, token, fields[2]
    end
  end
  refusals[#refusals + 1] = refusal
end
if #renewed > 0 then
  redis.call('SREM', base .. 'stalled', unpack(renewed))
end
return answer(step, known, { now, refusals, cancels }, tonumber(leaseDuration))
