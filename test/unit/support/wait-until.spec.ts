import { describe, expect, it } from '@jest/globals';

import { waitUntil } from '../../support/wait-until';

describe('waitUntil', () => {
  it('returns what the condition returned as soon as it holds', async () => {
    let looks = 0;
    const value = await waitUntil(() => (looks++ < 3 ? undefined : 'ready'), { reason: 'it is ready' });
    expect(value).toBe('ready');
    expect(looks).toBe(4);
  });

  it('waits for asynchronous conditions', async () => {
    let looks = 0;
    await waitUntil(async () => ++looks === 3, { reason: 'the third look' });
    expect(looks).toBe(3);
  });

  it('gives up at the deadline and says what it waited for', async () => {
    await expect(waitUntil(() => false, { reason: 'pigs fly', deadline: 20 })).rejects.toThrow(
      'Waited 20 ms in vain until pigs fly.',
    );
  });

  it('looks once more than never, however short the deadline', async () => {
    await expect(waitUntil(() => true, { reason: 'it holds', deadline: 0 })).resolves.toBe(true);
  });

  it('passes on an error of the condition at once', async () => {
    let looks = 0;
    const condition = () => {
      looks += 1;
      throw new Error('broken condition');
    };
    await expect(waitUntil(condition, { reason: 'never' })).rejects.toThrow('broken condition');
    expect(looks).toBe(1);
  });
});
