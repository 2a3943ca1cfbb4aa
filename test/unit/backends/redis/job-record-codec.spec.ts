import { describe, expect, it } from '@jest/globals';

import { toJobRecord } from '../../../../lib/backends/redis/job-record-codec';
import type { JobRecord } from '../../../../lib/model/job-record';

const nothing: JobRecord = {
  id: 'a',
  name: '',
  state: 'waiting',
  data: '{}',
  options: '{}',
  timestamp: 0,
  delay: 0,
  priority: 0,
  attemptsMade: 0,
  attemptsStarted: 0,
  stalledCounter: 0,
  progress: null,
  returnValue: null,
  failedReason: null,
  failedCode: null,
  stacktrace: '[]',
  timeout: null,
  expiresIn: null,
  expiresAt: null,
  headers: null,
  version: null,
  unhandled: 0,
  deferredFailure: null,
  cancelReason: null,
  processedOn: null,
  finishedOn: null,
  processedBy: null,
};

describe('the record of a job', () => {
  it('has no code of a failure whose reason was taken away', () => {
    expect(toJobRecord('a', 'completed', ['ln:code', 'timeout'])).toMatchObject({ failedCode: null });
  });

  it('has all that its hash has, under its own names', () => {
    const row = Object.entries({
      name: 'send',
      data: '{"to":1}',
      opts: '{"attempts":3}',
      timestamp: '1900000000000',
      delay: '5',
      priority: '7',
      atm: '2',
      ats: '3',
      stc: '1',
      progress: '50',
      returnvalue: '"sent"',
      failedReason: 'busy',
      'ln:code': 'timeout',
      'ln:timeout': '30000',
      'ln:expiresIn': '500',
      'ln:expires': '1900000000505',
      'ln:headers': '{"x":"1"}',
      'ln:version': '2',
      'ln:unhandled': '3',
      stacktrace: '["Error: busy"]',
      defa: 'job stalled more than allowable limit',
      'ln:cancel': 'no longer wanted',
      processedOn: '1900000000001',
      finishedOn: '1900000000002',
      pb: 'mailer',
    }).flat();

    expect(toJobRecord('a', 'completed', row)).toEqual({
      id: 'a',
      name: 'send',
      state: 'completed',
      data: '{"to":1}',
      options: '{"attempts":3}',
      timestamp: 1_900_000_000_000,
      delay: 5,
      priority: 7,
      attemptsMade: 2,
      attemptsStarted: 3,
      stalledCounter: 1,
      progress: '50',
      returnValue: '"sent"',
      failedReason: 'busy',
      failedCode: 'timeout',
      timeout: 30_000,
      expiresIn: 500,
      expiresAt: 1_900_000_000_505,
      headers: '{"x":"1"}',
      version: 2,
      unhandled: 3,
      stacktrace: '["Error: busy"]',
      deferredFailure: 'job stalled more than allowable limit',
      cancelReason: 'no longer wanted',
      processedOn: 1_900_000_000_001,
      finishedOn: 1_900_000_000_002,
      processedBy: 'mailer',
    });
  });

  it('has what new jobs have where its hash has nothing', () => {
    expect(toJobRecord('a', 'waiting', [])).toEqual(nothing);
  });

  it('passes over fields of others', () => {
    const row = [
      'deid',
      'x',
      '__proto__',
      'y',
      'constructor',
      'z',
      'ln:later',
      '1',
      'tm',
      'trace',
      'rjk',
      's',
    ];

    expect(toJobRecord('a', 'waiting', row)).toEqual(nothing);
  });

  it('reads the attempts of very old jobs', () => {
    expect(toJobRecord('a', 'waiting', ['attemptsMade', '2'])).toMatchObject({ attemptsMade: 2 });
  });

  it('may be a part of what came', () => {
    const row = ['12', 'a', 'name', 'one', 'data', '1', '12', 'b', 'name', 'two'];

    expect(toJobRecord('a', 'active', row, 2, 6)).toEqual({
      ...nothing,
      state: 'active',
      name: 'one',
      data: '1',
    });
  });
});
