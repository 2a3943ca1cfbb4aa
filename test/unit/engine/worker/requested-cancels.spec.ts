import { describe, expect, it } from '@jest/globals';

import { ActiveJob } from '../../../../lib/engine/worker/active-job';
import { RequestedCancels } from '../../../../lib/engine/worker/requested-cancels';
import type { Job } from '../../../../lib/engine/job';

function activeJob(id: string, token: string): ActiveJob {
  return new ActiveJob({ id } as Job, token, null);
}

const unnoted = { cancelReason: null };

describe('cancels that are requested for the jobs of a worker', () => {
  it('reach the job that is in hand under that lease, with their reason', () => {
    const cancels = new RequestedCancels('email');
    const [job, other] = [activeJob('a', 'token'), activeJob('b', 'token')];
    const told: unknown[] = [];
    job.onCancelled(() => told.push(job.signal.reason));

    cancels.take({ id: 'a', token: 'token', reason: 'job was cancelled: why' }, [other, job]);
    cancels.take({ id: 'a', token: 'token', reason: 'job was cancelled: again' }, [other, job]);

    expect(job.cancelled).toMatchObject({ code: 'LANE_JOB_CANCELLED', jobId: 'a', reason: 'why' });
    expect(job.signal.reason).toBe(job.cancelled);
    expect(told[0]).toBe(job.cancelled);
    expect(job.isAborted).toBe(false);
    expect(other.cancelled).toBeUndefined();
  });

  it('wait for a job whose claim is on its way, and for no other lease on it', () => {
    const cancels = new RequestedCancels('email');
    cancels.take({ id: 'a', token: 'second', reason: 'job was cancelled' }, []);
    const [first, second, third] = [
      activeJob('a', 'first'),
      activeJob('a', 'second'),
      activeJob('a', 'second'),
    ];

    [first, second, third].forEach((job) => cancels.find(job, unnoted));

    expect(first.cancelled).toBeUndefined();
    expect(second.cancelled).toMatchObject({ reason: undefined, failedReason: 'job was cancelled' });
    expect(third.cancelled).toBeUndefined();
  });

  it('are kept for as many jobs as may be on their way, and no more', () => {
    const cancels = new RequestedCancels('email');
    for (let index = 0; index <= 400; index += 1) {
      cancels.take({ id: `j${index}`, token: 'token', reason: 'why' }, []);
    }
    const jobs = ['j0', 'j1', 'j400'].map((id) => activeJob(id, 'token'));
    jobs.forEach((job) => cancels.find(job, unnoted));

    expect(jobs.map((job) => job.cancelled?.reason)).toEqual([undefined, 'why', 'why']);
    expect(jobs[0]!.cancelled).toBeUndefined();
  });

  it('are found with a job that was noted as cancelled', () => {
    const job = activeJob('a', 'token');
    new RequestedCancels('email').find(job, { cancelReason: 'job was cancelled: why' });

    expect(job.cancelled).toMatchObject({ jobId: 'a', queueName: 'email', reason: 'why' });
  });

  it('do not abort a signal that is used for something else than the handler', () => {
    const cancels = new RequestedCancels('email');
    const job = activeJob('a', 'token');
    cancels.hold(job);
    cancels.take({ id: 'a', token: 'token', reason: 'why' }, [job]);

    expect(job.cancelled).toBeDefined();
    expect(job.signal.aborted).toBe(false);
    cancels.release(job);
    cancels.take({ id: 'a', token: 'token', reason: 'why' }, [job]);
    expect(job.signal.reason).toBe(job.cancelled);
  });
});
