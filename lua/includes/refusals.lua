--[[
Why one item of a call is not carried out, by the numbers of the storage protocol, section 13; those below -100 are our own.
]]
local JOB_NOT_FOUND = -1
local LEASE_MISSING = -2
local WRONG_STATE = -3
local PENDING_CHILDREN = -4
local LEASE_MISMATCH = -6
local FAILED_CHILDREN = -9
local OUTSTANDING_ITERATION = -8
local JOB_LEASED = -101
local QUEUE_NOT_PAUSED = -102
local QUEUE_ACTIVE = -103
