// Faults in the events of Redis, which the conformance suite has to notice.

const commands = 'lua/commands';

export const BACKENDS = ['redis'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'keeps events whatever a publisher says, in Redis',
    file: `${commands}/publish-events.lua`,
    area: 'publishEvents',
    find: "if maxEvents == '' then",
    replace: 'if maxEvents ~= nil then',
  },
  {
    name: 'writes an event of an application without its name',
    file: `${commands}/publish-events.lua`,
    area: 'publishEvents',
    find: "redis.call('XADD', step.events, '*', 'event', name, unpack(entry))",
    replace: "redis.call('XADD', step.events, '*', 'events', name, unpack(entry))",
  },
];
