import { describe, expect, it } from '@jest/globals';

import { readJobOptions, withLimits, writeJobOptions } from '../../../lib/model/stored-job-options';

describe('stored job options', () => {
  it('have the short name of the storage protocol where there is one', () => {
    expect(
      JSON.parse(writeJobOptions({ attempts: 3, keepLogs: 5, sizeLimit: 9, stackTraceLimit: 1 })),
    ).toEqual({
      attempts: 3,
      kl: 5,
      sizeLimit: 9,
      stackTraceLimit: 1,
    });
    expect(writeJobOptions({ attempts: 3 })).toBe('{"attempts":3}');
  });

  it('hold no time limits, which clients of BullMQ know nothing of', () => {
    const options = { attempts: 3, timeout: 500, expiresIn: 60_000 };
    expect(writeJobOptions(options)).toBe('{"attempts":3}');
    expect(options).toEqual({ attempts: 3, timeout: 500, expiresIn: 60_000 });
    expect(withLimits(readJobOptions('{"attempts":3}'), 500, 60_000)).toEqual(options);
    expect(withLimits(readJobOptions('{"attempts":3}'), null, undefined)).toStrictEqual({ attempts: 3 });
  });

  it('come back as they were given', () => {
    const options = {
      jobId: 'a',
      timestamp: 5,
      attempts: 3,
      backoff: { type: 'custom', jitter: 0.5 },
      keepLogs: 5,
      removeOnComplete: { age: 60 },
    };
    expect(readJobOptions(writeJobOptions(options))).toEqual(options);
    expect(readJobOptions(writeJobOptions({}))).toEqual({});
  });

  it('are read as other clients store them, with all that those know besides', () => {
    expect(readJobOptions('{"attempts":0,"kl":3,"fpof":true,"delay":-5}')).toEqual({
      attempts: 0,
      keepLogs: 3,
      fpof: true,
      delay: -5,
    });
    expect(readJobOptions('{"keepLogs":4}')).toEqual({ keepLogs: 4 });
  });

  it.each(['', 'null', '5', '"text"', '{', 'undefined'])('are none where there is only %p', (text) => {
    expect(readJobOptions(text)).toEqual({});
  });

  it('change no prototype', () => {
    const options = readJobOptions('{"kl":1,"__proto__":{"attempts":7}}');

    expect(options.attempts).toBeUndefined();
    expect(({} as { attempts?: number }).attempts).toBeUndefined();
  });
});
