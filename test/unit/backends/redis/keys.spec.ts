import { describe, expect, it } from '@jest/globals';

import { workerClientName, workerNameOf } from '../../../../lib/backends/redis/keys';

describe('the name of the connection of a worker', () => {
  it.each([
    [null, 'bull:ZW1haWw='],
    ['mailer-1', 'bull:ZW1haWw=:w:mailer-1'],
    ['a b\n%', 'bull:ZW1haWw=:w:a%20b%0a%25'],
  ])('is for %p that of BullMQ: %s', (workerName, name) => {
    expect(workerClientName('bull', 'email', workerName)).toBe(name);
  });

  it.each([null, 'mailer-1', 'a b', 'ä€\u{1f600}', 'line\r\nline', '100%', '%20', 'x:w:y'])(
    'is one that a server takes and says who it is: %p',
    (workerName) => {
      const name = workerClientName('my präfix', 'e mail', workerName);

      expect(name).toMatch(/^[!-~]+$/);
      expect(workerNameOf(name, 'my präfix', 'e mail')).toBe(workerName);
    },
  );

  it('is read as it is where a BullMQ worker wrote one that is not encoded', () => {
    expect(workerNameOf('bull:ZW1haWw=:w:100%', 'bull', 'email')).toBe('100%');
  });

  it.each([
    '',
    'bull:ZW1haWw=:qe',
    'bull:ZW1haWw=:wx',
    'bull:ZW1haWw',
    'bull:ZW1haWwx',
    'bull2:ZW1haWw=',
    'bull:b3RoZXI=:w:a',
  ])('is of no worker of the queue: %p', (name) => {
    expect(workerNameOf(name, 'bull', 'email')).toBeUndefined();
  });

  it('survives text that is no text', () => {
    expect(workerClientName('bull', 'email', 'a\ud800')).toBe('bull:ZW1haWw=:w:a%ef%bf%bd');
  });
});
