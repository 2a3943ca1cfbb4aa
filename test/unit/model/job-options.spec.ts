import { describe, expect, it } from '@jest/globals';

import { InvalidAttemptsError } from '../../../lib/model/errors/invalid-attempts.error';
import { InvalidBackoffError } from '../../../lib/model/errors/invalid-backoff.error';
import { InvalidDelayError } from '../../../lib/model/errors/invalid-delay.error';
import { InvalidFlagError } from '../../../lib/model/errors/invalid-flag.error';
import { InvalidJobIdError } from '../../../lib/model/errors/invalid-job-id.error';
import { InvalidOptionsError } from '../../../lib/model/errors/invalid-options.error';
import { InvalidPriorityError } from '../../../lib/model/errors/invalid-priority.error';
import { InvalidRetentionError } from '../../../lib/model/errors/invalid-retention.error';
import { UnknownOptionError } from '../../../lib/model/errors/unknown-option.error';
import type { BackoffOptions } from '../../../lib/model/backoff-option';
import { InvalidKeepLogsError } from '../../../lib/model/errors/invalid-keep-logs.error';
import { InvalidExpiresInError } from '../../../lib/model/errors/invalid-expires-in.error';
import { InvalidTimeoutError } from '../../../lib/model/errors/invalid-timeout.error';
import { InvalidSizeLimitError } from '../../../lib/model/errors/invalid-size-limit.error';
import { InvalidStackTraceLimitError } from '../../../lib/model/errors/invalid-stack-trace-limit.error';
import { InvalidTimestampError } from '../../../lib/model/errors/invalid-timestamp.error';
import {
  type JobOptions,
  parseDefaultJobOptions,
  parseJobOptions,
  PRIORITY_LIMIT,
} from '../../../lib/model/job-options';
import { type KeepOptions, parseKeepOption } from '../../../lib/model/keep-option';

const HUNDRED_YEARS = 3_153_600_000_000;

/** Values that are of no use to any option. */
const NEVER_RIGHT: unknown[] = [
  null,
  [],
  [1],
  () => 1,
  Symbol('1'),
  1n,
  new Date(0),
  new Map(),
  Promise.resolve(1),
];

function parse(options: unknown): unknown {
  return parseJobOptions(options as JobOptions, 'add');
}

describe('parseJobOptions', () => {
  it('stores nothing that was not given', () => {
    expect(parse({})).toStrictEqual({});
    expect(
      parse({
        jobId: undefined,
        delay: undefined,
        priority: undefined,
        attempts: undefined,
        backoff: undefined,
        lifo: undefined,
        removeOnComplete: undefined,
        removeOnFail: undefined,
        timestamp: undefined,
        keepLogs: undefined,
        stackTraceLimit: undefined,
        sizeLimit: undefined,
        timeout: undefined,
        expiresIn: undefined,
        headers: undefined,
      }),
    ).toStrictEqual({});
  });

  it('JOB-06 resolves every option to the form of the storage protocol', () => {
    // With every option that there is: the compiler finds one that is missing here.
    const options: Required<JobOptions> & {
      backoff: Required<BackoffOptions>;
      removeOnComplete: Required<KeepOptions>;
    } = {
      jobId: 'invoice-7',
      delay: '5m',
      priority: 3,
      attempts: 4,
      backoff: { type: 'exponential', delay: '2s', jitter: 0.5 },
      lifo: true,
      removeOnComplete: { count: 100, age: '1h', limit: 20 },
      removeOnFail: 5,
      timestamp: 1_700_000_000_000,
      keepLogs: 10,
      stackTraceLimit: 0,
      sizeLimit: 5_000,
      timeout: '30s',
      expiresIn: '1h',
      // They have a place of their own.
      headers: { 'x-tenant-id': '7' },
    };
    const before = structuredClone(options);
    expect(parse(options)).toStrictEqual({
      jobId: 'invoice-7',
      delay: 300_000,
      priority: 3,
      attempts: 4,
      backoff: { type: 'exponential', delay: 2_000, jitter: 0.5 },
      lifo: true,
      removeOnComplete: { count: 100, age: 3_600, limit: 20 },
      removeOnFail: 5,
      timestamp: 1_700_000_000_000,
      keepLogs: 10,
      stackTraceLimit: 0,
      sizeLimit: 5_000,
      timeout: 30_000,
      expiresIn: 3_600_000,
    });
    expect(options).toStrictEqual(before);
  });

  it('keeps what is off or zero, which may have to overrule a default', () => {
    const options = {
      delay: 0,
      priority: 0,
      backoff: 0,
      lifo: false,
      removeOnComplete: false,
      removeOnFail: 0,
    };
    expect(parse(options)).toStrictEqual({ ...options, backoff: { type: 'fixed', delay: 0 } });
  });

  it('refuses a name that is not known and says the nearest', () => {
    expect(() => parse({ attemps: 3 })).toThrow(UnknownOptionError);
    expect(() => parse({ attemps: 3 })).toThrow(
      'Option "attemps" of add is unknown. Did you mean "attempts"?',
    );
    expect(() => parse({ removeOnCompleted: true })).toThrow('Did you mean "removeOnComplete"?');
    expect(() => parse({ jobID: 'x' })).toThrow('Did you mean "jobId"?');
    expect(() => parse({ repeat: {} })).toThrow(UnknownOptionError);
  });

  it.each([...NEVER_RIGHT, undefined, 5, 'attempts', true])('refuses %p in place of options', (options) => {
    expect(() => parse(options)).toThrow(InvalidOptionsError);
  });

  it.each([
    '{ "__proto__": { "attempts": 7 } }',
    '{ "constructor": { "prototype": { "attempts": 7 } } }',
    '{ "backoff": { "type": "fixed", "__proto__": { "delay": 7 } } }',
    '{ "removeOnFail": { "__proto__": { "count": 7 } } }',
  ])('refuses to be led astray by %s', (json) => {
    expect(() => parse(JSON.parse(json))).toThrow(UnknownOptionError);
    expect(({} as { attempts?: number }).attempts).toBeUndefined();
  });

  it('holds values of a prototype to the same rules', () => {
    expect(() => parse(Object.create({ attempts: 0 }))).toThrow(InvalidAttemptsError);
    expect(parse(Object.create({ attempts: 2 }))).toStrictEqual({ attempts: 2 });
  });

  it('stores the very value that it checked', () => {
    let reads = 0;
    const options = {
      get attempts() {
        reads += 1;
        return reads <= 2 ? 5 : -1;
      },
    };
    expect(parse(options)).toStrictEqual({ attempts: 5 });
  });

  describe('jobId', () => {
    it.each([
      'a',
      '1a',
      'job-1',
      '1.0',
      '1e3',
      '0x1',
      ' 1',
      '+1',
      'a:b:c',
      '::',
      '1:2:3',
      '00:a:b',
      '-',
      'ключ',
      '😀',
      '__proto__',
      'a'.repeat(10_000),
    ])('accepts %p', (jobId) => {
      expect(parse({ jobId })).toStrictEqual({ jobId });
    });

    it.each(['0', '1', '-1', '-0', '007', '12345678901234567890123'])(
      'JOB-03 refuses %p, an integer',
      (jobId) => {
        expect(() => parse({ jobId })).toThrow(InvalidJobIdError);
        expect(() => parse({ jobId })).toThrow(`such as "job-${jobId.slice(0, 20)}"`);
      },
    );

    it.each(['a:b', ':', 'a:b:c:d', '0:', '0:1', '0:a:b', 'a:'])(
      'JOB-03 refuses the colons of %p',
      (jobId) => {
        expect(() => parse({ jobId })).toThrow(InvalidJobIdError);
        expect(() => parse({ jobId })).toThrow('Use another separator');
      },
    );

    it.each([...NEVER_RIGHT, '', 5, 0, Number.NaN, true, {}])('refuses %p, which is no text', (jobId) => {
      expect(() => parse({ jobId })).toThrow(InvalidJobIdError);
    });
  });

  describe('delay', () => {
    it.each<[unknown, number]>([
      [1, 1],
      [0.3, 1],
      [1500.2, 1501],
      ['0.3ms', 1],
      ['4.03s', 4_030],
      [HUNDRED_YEARS, HUNDRED_YEARS],
      ['36500d', HUNDRED_YEARS],
    ])('T-B30 rounds up to whole milliseconds, so that nothing runs early: %p', (delay, millis) => {
      expect(parse({ delay })).toStrictEqual({ delay: millis });
    });

    it.each([
      ...NEVER_RIGHT,
      -1,
      -0.001,
      Number.NaN,
      Infinity,
      HUNDRED_YEARS + 1,
      '36501d',
      '5000',
      '-5s',
      'soon',
      '',
      true,
      {},
    ])('refuses %p', (delay) => {
      expect(() => parse({ delay })).toThrow(InvalidDelayError);
    });
  });

  describe('priority', () => {
    it.each([0, 1, PRIORITY_LIMIT])('accepts %p', (priority) => {
      expect(parse({ priority })).toStrictEqual({ priority });
    });

    it('T-B26 JOB-07 ends where the packed scores end', () => {
      expect(PRIORITY_LIMIT).toBe(2 ** 21 - 1);
      expect(() => parse({ priority: 2 ** 21 })).toThrow(InvalidPriorityError);
    });

    it.each([...NEVER_RIGHT, -1, 1.5, Number.NaN, Infinity, '5', true, {}])('refuses %p', (priority) => {
      expect(() => parse({ priority })).toThrow(InvalidPriorityError);
    });
  });

  describe('attempts', () => {
    it.each([1, 2, Number.MAX_SAFE_INTEGER])('accepts %p', (attempts) => {
      expect(parse({ attempts })).toStrictEqual({ attempts });
    });

    it.each([...NEVER_RIGHT, 0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '3', true, {}])(
      'refuses %p',
      (attempts) => {
        expect(() => parse({ attempts })).toThrow(InvalidAttemptsError);
      },
    );
  });

  describe('lifo', () => {
    it.each([...NEVER_RIGHT, 0, 1, 'true', '', {}])('refuses %p', (lifo) => {
      expect(() => parse({ lifo })).toThrow(InvalidFlagError);
    });
  });

  describe('backoff', () => {
    it.each<[unknown, object]>([
      [0, { type: 'fixed', delay: 0 }],
      [1500, { type: 'fixed', delay: 1500 }],
      ['2s', { type: 'fixed', delay: 2000 }],
      [0.3, { type: 'fixed', delay: 1 }],
      [{ type: 'fixed' }, { type: 'fixed', delay: 0 }],
      [
        { type: 'fixed', delay: 1.5 },
        { type: 'fixed', delay: 2 },
      ],
      [
        { type: 'exponential', delay: '1m' },
        { type: 'exponential', delay: 60_000 },
      ],
      [
        { type: 'exponential', delay: 7, jitter: 0 },
        { type: 'exponential', delay: 7, jitter: 0 },
      ],
      [
        { type: 'exponential', delay: 7, jitter: 1 },
        { type: 'exponential', delay: 7, jitter: 1 },
      ],
      [
        { type: 'fixed', delay: undefined, jitter: undefined },
        { type: 'fixed', delay: 0 },
      ],
      [HUNDRED_YEARS, { type: 'fixed', delay: HUNDRED_YEARS }],
      [{ type: 'custom' }, { type: 'custom' }],
      [
        { type: 'linear', delay: '1s', jitter: 0.5 },
        { type: 'linear', delay: 1000, jitter: 0.5 },
      ],
      [{ type: '__proto__' }, { type: '__proto__' }],
    ])('stores %p in the long form', (backoff, stored) => {
      expect(parse({ backoff })).toStrictEqual({ backoff: stored });
    });

    it.each([
      ...NEVER_RIGHT,
      -1,
      Number.NaN,
      Infinity,
      HUNDRED_YEARS + 1,
      'exponential',
      '',
      true,
      {},
      { delay: 5 },
      { type: 'Fixed' },
      { type: 'exponental', delay: 5 },
      { type: null },
      { type: '' },
      { type: 5 },
      { type: 'custom', delay: -1 },
      { type: 'custom', jitter: 2 },
      ...[null, -1, Number.NaN, Infinity, HUNDRED_YEARS + 1, '5', true, {}].map((delay) => ({
        type: 'fixed',
        delay,
      })),
      ...[null, -0.1, 1.1, Number.NaN, '0.5', true, {}].map((jitter) => ({
        type: 'fixed',
        delay: 5,
        jitter,
      })),
    ])('refuses %p', (backoff) => {
      expect(() => parse({ backoff })).toThrow(InvalidBackoffError);
    });

    it('names the part that is wrong, and its own rule', () => {
      expect(() => parse({ backoff: { type: 'fixed', delay: HUNDRED_YEARS * 2 } })).toThrow(
        'Option "backoff.delay" is 6307200000000; it must be milliseconds from 0 to 100 years, or a text such as "5s".',
      );
      expect(() => parse({ backoff: { type: 'fixed', jitter: 50 } })).toThrow(
        'Option "backoff.jitter" is 50; it must be a number from 0 to 1.',
      );
      expect(() => parse({ backoff: { type: 'exponental' } })).toThrow(
        'Option "backoff.type" is "exponental"; it must be "fixed", "exponential", or the name of a strategy of the ' +
          'worker\'s. Did you mean "exponential"?',
      );
      expect(() => parse({ backoff: true })).toThrow('or { type, delay, jitter }.');
    });

    it('refuses a part that is not known', () => {
      expect(() => parse({ backoff: { type: 'fixed', dealy: 5 } })).toThrow(
        'Option "dealy" of backoff is unknown. Did you mean "delay"?',
      );
    });
  });
});

describe.each<[string, new (...args: never[]) => Error, number[]]>([
  ['timestamp', InvalidTimestampError, [0, 1, 1_700_000_000_000, 8_640_000_000_000_000]],
  ['keepLogs', InvalidKeepLogsError, [1, 1_000, Number.MAX_SAFE_INTEGER]],
  ['stackTraceLimit', InvalidStackTraceLimitError, [0, 1, Number.MAX_SAFE_INTEGER]],
  ['sizeLimit', InvalidSizeLimitError, [1, Number.MAX_SAFE_INTEGER]],
])('JOB-06 %s', (option, error, accepted) => {
  it.each(accepted)('accepts %p', (value) => {
    expect(parse({ [option]: value })).toStrictEqual({ [option]: value });
    expect(parseDefaultJobOptions({ [option]: value }, 'defaultJobOptions')).toStrictEqual({
      [option]: value,
    });
  });

  it.each([...NEVER_RIGHT, -1, 0.5, Number.NaN, Infinity, 2 ** 53, '5', '', true, {}])(
    'refuses %p',
    (value) => {
      expect(() => parse({ [option]: value })).toThrow(error);
    },
  );
});

it('refuses limits that would leave nothing', () => {
  expect(() => parse({ keepLogs: 0 })).toThrow(
    'Option "keepLogs" is 0; it must be an integer of at least 1.',
  );
  expect(() => parse({ sizeLimit: 0 })).toThrow(
    'Option "sizeLimit" is 0; it must be an integer of at least 1.',
  );
  expect(() => parse({ timestamp: 8_640_000_000_000_001 })).toThrow('must be whole milliseconds since 1970');
});

describe.each<[string, new (...args: never[]) => Error]>([
  ['timeout', InvalidTimeoutError],
  ['expiresIn', InvalidExpiresInError],
])('JOB-06 %s', (option, error) => {
  it.each<[unknown, number]>([
    [1, 1],
    [1.2, 2],
    ['30s', 30_000],
    ['1.5h', 5_400_000],
    [HUNDRED_YEARS, HUNDRED_YEARS],
  ])('reads %p', (value, millis) => {
    expect(parse({ [option]: value })).toStrictEqual({ [option]: millis });
    expect(parseDefaultJobOptions({ [option]: value }, 'defaultJobOptions')).toStrictEqual({
      [option]: millis,
    });
  });

  it.each([
    ...NEVER_RIGHT,
    0,
    0.5,
    -1,
    Number.NaN,
    Infinity,
    HUNDRED_YEARS + 1,
    '0s',
    '5',
    '',
    '-1s',
    '1 s',
    true,
    {},
  ])('refuses %p', (value) => {
    expect(() => parse({ [option]: value })).toThrow(error);
  });

  it('says what is wrong, and what is right', () => {
    expect(() => parse({ [option]: 0 })).toThrow(
      `Option "${option}" is 0; it must be milliseconds from 1 to 100 years, or a text such as "30s", "5m" or "2h".`,
    );
  });
});

describe.each(['removeOnComplete', 'removeOnFail'])('%s', (option) => {
  it.each<[unknown, unknown]>([
    [true, true],
    [false, false],
    [0, 0],
    [1000, 1000],
    [{}, {}],
    [{ count: 0 }, { count: 0 }],
    [
      { count: 5, age: 60, limit: 1 },
      { count: 5, age: 60, limit: 1 },
    ],
    [{ age: '7d' }, { age: 604_800 }],
    [{ age: '500ms' }, { age: 0.5 }],
    [{ age: 0 }, { age: 0 }],
    [{ count: undefined, age: undefined, limit: undefined }, {}],
  ])('reads %p', (value, stored) => {
    expect(parseKeepOption(option, value)).toStrictEqual(stored);
    expect(parse({ [option]: value })).toStrictEqual({ [option]: stored });
  });

  it.each([
    ...NEVER_RIGHT,
    -1,
    1.5,
    Number.NaN,
    Infinity,
    '5',
    '1h',
    ...[...NEVER_RIGHT, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '5', true, {}].map((count) => ({ count })),
    ...[...NEVER_RIGHT, -1, Number.NaN, Infinity, Number.MAX_VALUE, '5', '-1h', true, {}].map((age) => ({
      age,
    })),
    ...[...NEVER_RIGHT, 0, -1, 1.5, Number.NaN, Infinity, '5', true, {}].map((limit) => ({ limit })),
  ])('refuses %p', (value) => {
    expect(() => parse({ [option]: value })).toThrow(InvalidRetentionError);
  });

  it('names the part that is wrong, and its own rule', () => {
    expect(() => parseKeepOption(option, { count: true })).toThrow(
      `Option "${option}.count" is true; it must be an integer of at least 0.`,
    );
    expect(() => parseKeepOption(option, { age: 'week' })).toThrow(
      `Option "${option}.age" is "week"; it must be SECONDS of at least 0, or a text such as "1h" or "7d".`,
    );
    expect(() => parseKeepOption(option, { limit: 0 })).toThrow(
      `Option "${option}.limit" is 0; it must be an integer of at least 1.`,
    );
    expect(() => parseKeepOption(option, 'all')).toThrow(
      `Option "${option}" is "all"; it must be true (remove), false (keep), the number of jobs to keep`,
    );
  });

  it('refuses a part that is not known', () => {
    expect(() => parseKeepOption(option, { coutn: 5 })).toThrow(
      `Option "coutn" of ${option} is unknown. Did you mean "count"?`,
    );
  });
});

describe('parseDefaultJobOptions', () => {
  it('reads what parseJobOptions reads', () => {
    expect(parseDefaultJobOptions({ delay: '1s', attempts: 3 }, 'defaultJobOptions')).toStrictEqual({
      delay: 1000,
      attempts: 3,
    });
    expect(() => parseDefaultJobOptions({ attempts: 0 }, 'defaultJobOptions')).toThrow(InvalidAttemptsError);
  });

  it('refuses an id, under which all jobs but the first would be duplicates', () => {
    const options = { jobId: 'one' } as object;
    expect(() => parseDefaultJobOptions(options, 'defaultJobOptions')).toThrow(
      'Option "jobId" of defaultJobOptions is unknown.',
    );
  });
});
