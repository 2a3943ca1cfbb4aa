// Faults in events and what follows them, which the conformance suite has to notice.

const embedded = 'lib/backends/embedded';
const memory = 'lib/backends/memory';

export const BACKENDS = ['memory'];

/** @type {import('../../scripts/mutants.mjs').Mutant[]} */
export const MUTANTS = [
  {
    name: 'tells of no gap in a log',
    file: `${memory}/memory-log.ts`,
    area: 'readEvents',
    find: 'return this.#droppedMillis > millis ||',
    replace: 'return millis < 0 ||',
  },
  {
    name: 'forgets the fields of events of applications',
    file: `${embedded}/publishing.ts`,
    area: 'publishEvents',
    find: 'step.emit({ event: name, fields });',
    replace: 'step.emit({ event: name, fields: [] });',
  },
  {
    name: 'keeps events whatever a publisher says',
    file: `${embedded}/publishing.ts`,
    area: 'publishEvents',
    find: 'if (maxEvents !== null) {',
    replace: 'if (maxEvents === -1) {',
  },
  {
    name: 'lets applications write the events of the queue',
    file: 'lib/model/custom-event.ts',
    area: 'engine: listening',
    find: 'QUEUE_EVENT_NAMES.some((own) => name.startsWith(`${own}:`))',
    replace: 'name === `${name}:`',
  },
  {
    name: 'ends no wait with the failure of a job',
    file: 'lib/engine/events/job-watch.ts',
    area: 'engine: following',
    find: 'void this.#fail(event.jobId, event.failedReason);',
    replace: 'this.#look();',
  },
  {
    name: 'waits for ever for a job that was removed without an event',
    file: 'lib/engine/events/job-watch.ts',
    area: 'engine: following',
    find: 'const LOOK_INTERVAL = 10_000;',
    replace: 'const LOOK_INTERVAL = 10_000_000;',
  },
  {
    name: 'is not strict about gaps',
    file: 'lib/engine/events/event-replay.ts',
    area: 'engine: following',
    find: 'if (strict) {',
    replace: 'if (strict && position === after) {\n        yield gap;\n      } else if (strict) {',
  },
  {
    name: 'reads a log again from a time on without the events of that time',
    file: 'lib/model/event-id.ts',
    area: 'engine: following',
    find: '`${millis - 1}-${LARGEST}`',
    replace: '`${millis}-${LARGEST}`',
  },
];
