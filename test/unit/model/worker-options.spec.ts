import { describe, expect, it } from '@jest/globals';

import { InvalidDurationError } from '../../../lib/model/errors/invalid-duration.error';
import { InvalidFlagError } from '../../../lib/model/errors/invalid-flag.error';
import { InvalidLimitError } from '../../../lib/model/errors/invalid-limit.error';
import { InvalidOptionsError } from '../../../lib/model/errors/invalid-options.error';
import { InvalidRetentionError } from '../../../lib/model/errors/invalid-retention.error';
import { InvalidTimeoutError } from '../../../lib/model/errors/invalid-timeout.error';
import { InvalidWorkerOptionError } from '../../../lib/model/errors/invalid-worker-option.error';
import { UnknownOptionError } from '../../../lib/model/errors/unknown-option.error';
import {
  checkConcurrency,
  resolveShutdownOptions,
  resolveWorkerOptions,
  WORKER_OPTION_NAMES,
  type ShutdownOptions,
  type WorkerOptions,
} from '../../../lib/model/worker-options';

const NEVER_RIGHT: unknown[] = [null, [], [1], () => 1, Symbol('1'), 1n, new Date(5)];
const NO_DURATIONS: unknown[] = [...NEVER_RIGHT, {}, true, '', '5', 'soon', '-5s', -1, Number.NaN, -Infinity];

function resolve(options: unknown): Record<string, unknown> {
  return resolveWorkerOptions(options as WorkerOptions, 'Worker') as unknown as Record<string, unknown>;
}

describe('resolveWorkerOptions', () => {
  const DEFAULTS = {
    concurrency: 1,
    name: null,
    autorun: true,
    lockDuration: 30_000,
    lockRenewTime: 10_000,
    skipLockRenewal: false,
    stalledInterval: 30_000,
    maxStalledCount: 1,
    skipStalledCheck: false,
    maxStartedAttempts: Infinity,
    timeout: undefined,
    timeoutGrace: 5_000,
    drainDelay: 5_000,
    runRetryDelay: 1_000,
    removeOnComplete: undefined,
    removeOnFail: undefined,
    maxDataPoints: null,
    backoffStrategy: undefined,
    limiter: undefined,
    maximumRateLimitDelay: 30_000,
    shutdown: { drain: 30_000, abort: 4_000, close: 3_000 },
  };

  it('fills in the defaults', () => {
    expect(resolve({})).toStrictEqual(DEFAULTS);
    const unset = Object.fromEntries(WORKER_OPTION_NAMES.map((name) => [name, undefined]));
    expect(resolve(unset)).toStrictEqual(DEFAULTS);
    expect(resolve({ shutdown: { drain: undefined } })).toStrictEqual(DEFAULTS);
  });

  it('resolves what is given, and leaves it as it is', () => {
    const strategy = (): number => 5;
    // With every option that there is: the compiler finds one that is missing here.
    const options: Required<WorkerOptions> & { shutdown: Required<ShutdownOptions> } = {
      concurrency: 50,
      name: 'w-1',
      autorun: false,
      lockDuration: '1m',
      lockRenewTime: '59s',
      skipLockRenewal: true,
      stalledInterval: 500,
      maxStalledCount: 0,
      skipStalledCheck: true,
      maxStartedAttempts: 3,
      timeout: '30s',
      timeoutGrace: 0,
      drainDelay: 2,
      runRetryDelay: '15s',
      removeOnComplete: { age: '1h' },
      removeOnFail: false,
      metrics: { maxDataPoints: 60 },
      settings: { backoffStrategy: strategy },
      limiter: { max: 5, duration: '1.5s' },
      maximumRateLimitDelay: '1m',
      shutdown: { drain: '10s', abort: 0, close: 1 },
    };
    const before = { ...options, shutdown: { ...options.shutdown } };
    expect(resolve(options)).toStrictEqual({
      concurrency: 50,
      name: 'w-1',
      autorun: false,
      lockDuration: 60_000,
      lockRenewTime: 59_000,
      skipLockRenewal: true,
      stalledInterval: 500,
      maxStalledCount: 0,
      skipStalledCheck: true,
      maxStartedAttempts: 3,
      timeout: 30_000,
      timeoutGrace: 0,
      drainDelay: 2_000,
      runRetryDelay: 15_000,
      removeOnComplete: { age: 3_600 },
      removeOnFail: false,
      maxDataPoints: 60,
      backoffStrategy: strategy,
      limiter: { max: 5, duration: 1_500 },
      maximumRateLimitDelay: 60_000,
      shutdown: { drain: 10_000, abort: 0, close: 1 },
    });
    expect(options).toStrictEqual(before);
  });

  it.each([0, -1, Number.NaN, Infinity, '5', null])('refuses %p as a timeout', (timeout) => {
    expect(() => resolve({ timeout })).toThrow(InvalidTimeoutError);
  });

  it.each([-1, Number.NaN, Infinity, '5', null])('refuses %p as the grace after it', (timeoutGrace) => {
    expect(() => resolve({ timeoutGrace })).toThrow(InvalidDurationError);
  });

  it('refuses names that are not known, but for those of whoever asks', () => {
    expect(() => resolve({ concurency: 2 })).toThrow(
      'Option "concurency" of Worker is unknown. Did you mean "concurrency"?',
    );
    expect(() => resolve({ backend: 1 })).toThrow(UnknownOptionError);
    expect(() => resolve(JSON.parse('{ "__proto__": { "concurrency": 9 } }'))).toThrow(UnknownOptionError);
    const options = { backend: 1 } as WorkerOptions;
    expect(resolveWorkerOptions(options, 'Worker', ['backend'])).toStrictEqual(DEFAULTS);
    expect(() => resolveWorkerOptions({ bakend: 1 } as WorkerOptions, 'Worker', ['backend'])).toThrow(
      'Did you mean "backend"?',
    );
  });

  it.each([...NEVER_RIGHT, undefined, 5, 'w'])('refuses %p in place of options', (options) => {
    expect(() => resolve(options)).toThrow(InvalidOptionsError);
  });

  it.each([...NEVER_RIGHT, {}, 0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '5', true])(
    'refuses %p as concurrency',
    (concurrency) => {
      expect(() => resolve({ concurrency })).toThrow(InvalidWorkerOptionError);
    },
  );

  it.each([...NEVER_RIGHT, {}, '', 5, true])('refuses %p as a name', (name) => {
    expect(() => resolve({ name })).toThrow(InvalidWorkerOptionError);
  });

  it.each([...NEVER_RIGHT, 0, -1, 1.5, 100_001, '60', true, undefined])(
    'refuses %p as the number of data points',
    (maxDataPoints) => {
      expect(() => resolve({ metrics: { maxDataPoints } })).toThrow(InvalidWorkerOptionError);
    },
  );

  it('refuses metrics that it does not know', () => {
    expect(() => resolve({ metrics: { maxDataPoint: 5 } })).toThrow(UnknownOptionError);
    expect(() => resolve({ metrics: true })).toThrow(InvalidOptionsError);
  });

  it('refuses strategies that it cannot ask, or does not know', () => {
    expect(resolve({ settings: {} })).toStrictEqual(DEFAULTS);
    expect(() => resolve({ settings: { backoffStrategy: 5 } })).toThrow(InvalidWorkerOptionError);
    expect(() => resolve({ settings: { backoffStrategies: {} } })).toThrow(
      'Option "backoffStrategies" of Worker settings is unknown. Did you mean "backoffStrategy"?',
    );
    expect(() => resolve({ settings: null })).toThrow(InvalidOptionsError);
  });

  it.each([...NEVER_RIGHT, {}, 0, 'false', ''])('refuses %p as a flag', (value) => {
    for (const name of ['autorun', 'skipLockRenewal', 'skipStalledCheck']) {
      expect(() => resolve({ [name]: value })).toThrow(InvalidFlagError);
    }
  });

  it.each([...NEVER_RIGHT, {}, 0, -1, 1.5, Number.NaN, Infinity, '1', true])(
    'refuses %p as maxStartedAttempts',
    (maxStartedAttempts) => {
      expect(() => resolve({ maxStartedAttempts })).toThrow(InvalidWorkerOptionError);
    },
  );

  it('renews leases before they end, three times in each unless told', () => {
    expect(resolve({ lockDuration: 900 })).toMatchObject({ lockRenewTime: 300 });
    expect(resolve({ lockDuration: 900, lockRenewTime: 899 })).toMatchObject({ lockRenewTime: 899 });
    for (const lockRenewTime of [900, '1s', 0, 0.5]) {
      expect(() => resolve({ lockDuration: 900, lockRenewTime })).toThrow(InvalidWorkerOptionError);
    }
    expect(() => resolve({ lockRenewTime: '1m' })).toThrow('less than lockDuration, 30000 ms');
  });

  it('wants some pause before a step that failed is made again', () => {
    expect(resolve({ runRetryDelay: 1 })).toMatchObject({ runRetryDelay: 1 });
    expect(() => resolve({ runRetryDelay: 0 })).toThrow(InvalidWorkerOptionError);
  });

  it.each([...NEVER_RIGHT, {}, -1, 0.5, Number.NaN, Infinity, '1', true])(
    'refuses %p as maxStalledCount',
    (maxStalledCount) => {
      expect(() => resolve({ maxStalledCount })).toThrow(InvalidWorkerOptionError);
    },
  );

  it('wants leases long enough to be renewed', () => {
    expect(resolve({ lockDuration: 10 })).toMatchObject({ lockDuration: 10 });
    for (const lockDuration of [9.99, 0, '9ms', '0s']) {
      expect(() => resolve({ lockDuration })).toThrow(InvalidWorkerOptionError);
      expect(() => resolve({ lockDuration })).toThrow('it must be at least 10 ms.');
    }
  });

  it('wants some time between sweeps', () => {
    expect(resolve({ stalledInterval: 1 })).toMatchObject({ stalledInterval: 1 });
    for (const stalledInterval of [0.99, 0, '0s']) {
      expect(() => resolve({ stalledInterval })).toThrow(InvalidWorkerOptionError);
    }
  });

  it.each([...NO_DURATIONS, Infinity])('refuses %p as a time', (value) => {
    expect(() => resolve({ lockDuration: value })).toThrow(InvalidDurationError);
    expect(() => resolve({ stalledInterval: value })).toThrow(InvalidDurationError);
    expect(() => resolve({ lockRenewTime: value })).toThrow(InvalidDurationError);
    expect(() => resolve({ runRetryDelay: value })).toThrow(InvalidDurationError);
  });

  describe('limiter', () => {
    it('takes whole milliseconds, more rather than less', () => {
      expect(resolve({ limiter: { max: 1, duration: 0.5 } })).toMatchObject({
        limiter: { max: 1, duration: 1 },
      });
    });

    it.each([...NEVER_RIGHT, 5, '5 per second'])('refuses %p', (limiter) => {
      expect(() => resolve({ limiter })).toThrow(InvalidOptionsError);
    });

    it('refuses what it does not know', () => {
      expect(() => resolve({ limiter: { max: 1, duration: 1, groupKey: 'a' } })).toThrow(
        'Option "groupKey" of Worker limiter is unknown.',
      );
    });

    it.each([...NEVER_RIGHT, undefined, {}, 0, -1, 1.5, Number.NaN, Infinity, '5'])(
      'refuses %p as the number of jobs',
      (max) => {
        expect(() => resolve({ limiter: { max, duration: 1 } })).toThrow(InvalidLimitError);
      },
    );

    it.each([...NO_DURATIONS, undefined, Infinity])('refuses %p as the length of a window', (duration) => {
      expect(() => resolve({ limiter: { max: 1, duration } })).toThrow(InvalidDurationError);
    });

    it.each([0, '0s', 1e13, '36501d'])('refuses a window of %p', (duration) => {
      expect(() => resolve({ limiter: { max: 1, duration } })).toThrow(InvalidDurationError);
    });

    it.each([0, '0s', 0.5])('refuses %p as the longest wait', (maximumRateLimitDelay) => {
      expect(() => resolve({ maximumRateLimitDelay })).toThrow(InvalidWorkerOptionError);
    });
  });

  describe('drainDelay', () => {
    it.each<[unknown, number]>([
      [5, 5_000],
      [0.01, 10],
      ['5s', 5_000],
      ['250ms', 250],
    ])('takes a bare number for seconds: %p', (drainDelay, millis) => {
      expect(resolve({ drainDelay })).toMatchObject({ drainDelay: millis });
    });

    it.each([...NO_DURATIONS, Infinity, Number.MAX_VALUE, 0, '0s'])('refuses %p', (drainDelay) => {
      expect(() => resolve({ drainDelay })).toThrow(InvalidWorkerOptionError);
      // Whoever read "milliseconds" here would wait a thousand times as long.
      expect(() => resolve({ drainDelay })).toThrow('it must be SECONDS above 0, or a text such as "5s".');
    });
  });

  it.each(['removeOnComplete', 'removeOnFail'])('holds %s to the rules of job options', (option) => {
    expect(resolve({ [option]: 5 })).toMatchObject({ [option]: 5 });
    expect(resolve({ [option]: { age: '1m', count: 3 } })).toMatchObject({ [option]: { age: 60, count: 3 } });
    for (const value of [null, -1, '1h', { count: -1 }]) {
      expect(() => resolve({ [option]: value })).toThrow(InvalidRetentionError);
    }
    expect(() => resolve({ [option]: { counts: 1 } })).toThrow(`Option "counts" of ${option} is unknown.`);
  });
});

describe('resolveShutdownOptions', () => {
  it('waits for ever for running handlers when told to, and for nothing else', () => {
    expect(resolveShutdownOptions({ drain: Infinity }, 'shutdown')).toEqual({
      drain: Infinity,
      abort: 4_000,
      close: 3_000,
    });
    expect(() => resolveShutdownOptions({ abort: Infinity }, 'shutdown')).toThrow(
      '"shutdown.abort" is Infinity',
    );
    expect(() => resolveShutdownOptions({ close: Infinity }, 'shutdown')).toThrow(
      '"shutdown.close" is Infinity',
    );
  });

  it.each(['drain', 'abort', 'close'])('takes 0, but nothing else than times, for %s', (name) => {
    expect(resolveShutdownOptions({ [name]: 0 }, 'shutdown')).toMatchObject({ [name]: 0 });
    for (const value of NO_DURATIONS) {
      const options = { [name]: value } as ShutdownOptions;
      expect(() => resolveShutdownOptions(options, 'shutdown')).toThrow(InvalidDurationError);
      expect(() => resolve({ shutdown: options })).toThrow(`Option "shutdown.${name}" is `);
    }
  });

  it.each([...NEVER_RIGHT, 30_000, '30s', true])('refuses %p in its place', (shutdown) => {
    expect(() => resolve({ shutdown })).toThrow(InvalidOptionsError);
    expect(() => resolve({ shutdown })).toThrow('The options of Worker shutdown are ');
  });

  it('refuses names that are not known', () => {
    expect(() => resolve({ shutdown: { drian: 5 } })).toThrow(
      'Option "drian" of Worker shutdown is unknown. Did you mean "drain"?',
    );
  });
});

describe('checkConcurrency', () => {
  it('returns what it accepts, and names the option as it was written', () => {
    expect(checkConcurrency('@Process concurrency', 7)).toBe(7);
    expect(() => checkConcurrency('@Process concurrency', 0)).toThrow(
      'Option "@Process concurrency" is 0; it must be an integer of at least 1. It is the number of jobs that run at once.',
    );
  });
});
