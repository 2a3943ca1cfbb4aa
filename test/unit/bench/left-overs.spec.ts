import { describe, expect, it } from '@jest/globals';

import { differences } from '../../bench/left-overs.mjs';

const bullmq = {
  jobs: 2,
  keys: { '<id>': 'hash', meta: 'hash', completed: 'zset', events: 'stream' },
  jobFields: { name: 2, data: 2, finishedOn: 2 },
  events: { added: 2, waiting: 2, active: 2, completed: 2 },
};

describe('what libraries leave in Redis', () => {
  it('is the same when keys, fields and events are', () => {
    expect(differences('bullmq', bullmq, 'ours', structuredClone(bullmq))).toEqual([]);
  });

  it('may differ in what passes, and in what BullMQ does not know', () => {
    const ours = {
      jobs: 2,
      keys: { ...bullmq.keys, marker: 'zset', 'ln:c.1f': 'hash' },
      jobFields: { ...bullmq.jobFields, 'ln:x': 1 },
      events: { ...bullmq.events, drained: 1 },
    };
    const theirs = {
      ...bullmq,
      keys: { ...bullmq.keys, stalled: 'set', 'stalled-check': 'string' },
      events: { ...bullmq.events, drained: 7 },
    };

    expect(differences('bullmq', theirs, 'ours', ours)).toEqual([]);
  });

  it('differs by a key that is missing, is there besides, or has another type', () => {
    const ours = {
      ...bullmq,
      keys: { '<id>': 'hash', meta: 'hash', completed: 'set', '<id>:lock': 'string' },
    };

    expect(differences('bullmq', bullmq, 'ours', ours)).toEqual([
      'key <id>:lock: bullmq has none, ours string',
      'key completed: bullmq zset, ours set',
      'key events: bullmq stream, ours has none',
    ]);
  });

  it('differs by a field that not as many jobs have', () => {
    const ours = { ...bullmq, jobFields: { name: 2, data: 2, finishedOn: 1, pb: 2 } };

    expect(differences('bullmq', bullmq, 'ours', ours)).toEqual([
      'jobs with the field finishedOn: bullmq 2, ours 1',
      'jobs with the field pb: bullmq has none, ours 2',
    ]);
  });

  it('differs by the numbers of events and of jobs', () => {
    const ours = { ...bullmq, jobs: 1, events: { added: 2, waiting: 2, completed: 1 } };

    expect(differences('bullmq', bullmq, 'ours', ours)).toEqual([
      'jobs: bullmq 2, ours 1',
      'event active: bullmq 2, ours has none',
      'event completed: bullmq 2, ours 1',
    ]);
  });
});
