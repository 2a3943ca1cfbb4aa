import { describe, expect, it } from '@jest/globals';

import { majors } from './support/bullmq';
import { CommonGround } from './support/common-ground';
import { guardSharedQueues } from './support/guard';

guardSharedQueues();

describe.each(majors)('headers of our jobs, and BullMQ %i', (major) => {
  it('which reads, runs, retries and finishes such jobs, leaves them alone', async () => {
    const ground = new CommonGround();
    try {
      const ours = ground.ourQueue('work');
      const theirs = ground.theirQueue(major, 'work');
      const { id } = await ours.add('send', { to: 'a' }, { attempts: 2, headers: { 'X-Tenant': '7' } });
      const read = (await theirs.getJob(id))!;
      expect([read.data, read.opts.attempts]).toEqual([{ to: 'a' }, 2]);
      expect(JSON.stringify(read.opts)).not.toContain('tenant');

      ground.work(major, 'work', (job) => {
        if (job.attemptsMade === 0) throw new Error('once');
        return 'sent';
      });
      await ground.untilQuiet('work');

      const job = (await ours.getJob(id))!;
      expect([await job.getState(), { ...job.headers }]).toEqual(['completed', { 'x-tenant': '7' }]);
      expect(await ground.redis.hget(ground.key('work', id), 'ln:headers')).toBe('{"x-tenant":"7"}');
    } finally {
      await ground.close();
    }
    expect(ground.errors).toEqual([]);
  });

  it('whose jobs have none, nor has what somebody else has stored there', async () => {
    const ground = new CommonGround();
    try {
      const ours = ground.ourQueue('work');
      const { id = '' } = await ground.theirQueue(major, 'work').add('send', {});
      expect({ ...(await ours.getJob(id))!.headers }).toEqual({});
      const plain = await ours.add('send', {});
      expect(await ground.redis.hkeys(ground.key('work', plain.id))).not.toContain('ln:headers');
      for (const odd of ['', 'x: 1', '["x"]', '{"x":1}']) {
        await ground.redis.hset(ground.key('work', id), 'ln:headers', odd, 'ln:version', 'two');
        expect({ ...(await ours.getJob(id))!.headers }).toEqual({});
      }
    } finally {
      await ground.close();
    }
    expect(ground.errors).toEqual([]);
  });
});
