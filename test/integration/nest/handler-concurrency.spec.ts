import { describe, expect, it } from '@jest/globals';
import { type Job, LaneModule, OnWorkerEvent, Process, Processor, Queue } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { FailingBackend } from '../../support/failing-backend';
import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

describe('@Process with a concurrency', () => {
  async function start(capped: number, worker: number, shutdown = {}) {
    const gates = { render: new Gate(), send: new Gate() };
    const events: string[] = [];
    @Processor('email', { concurrency: worker })
    class EmailProcessor {
      @Process('render', { concurrency: capped })
      render(job: Job) {
        return gates.render.enter(job);
      }

      @Process('send')
      send(job: Job) {
        return gates.send.enter(job);
      }

      @OnWorkerEvent('closing')
      onClosing() {
        events.push('closing');
      }
    }
    const backend = memory();
    const app = await apps.start({
      imports: [LaneModule.forRoot({ backend, shutdown }), LaneModule.registerQueue('email')],
      providers: [EmailProcessor],
    });
    return { app, events, queue: new Queue('email', { backend }), ...gates };
  }

  it('ends a job that waits for its turn when that is cancelled, and takes the others in turn', async () => {
    const { queue, render } = await start(1, 10);
    const [first, second, third] = await queue.addBulk(
      Array.from({ length: 3 }, () => ({ name: 'render', data: {}, opts: { attempts: 3 } })),
    );
    await waitUntil(async () => (await queue.getJobCounts('active')).active === 3, {
      reason: 'the worker has all jobs',
    });

    expect(await queue.cancel(second!.id, 'enough')).toBe('requested');
    await expect(second!.finished()).rejects.toMatchObject({ code: 'LANE_JOB_CANCELLED', reason: 'enough' });

    expect(render.started).toEqual([first!.id]);
    render.open();
    await third!.finished();
    expect(render.started).toEqual([first!.id, third!.id]);
    await queue.close();
  });

  it('has no more jobs than that at once, in the order in which they came', async () => {
    const { queue, render } = await start(2, 10);
    const jobs = await queue.addBulk(Array.from({ length: 6 }, () => ({ name: 'render', data: {} })));
    await waitUntil(async () => (await queue.getJobCounts('active')).active === 6, {
      reason: 'the worker has all jobs',
    });
    expect(render.started).toHaveLength(2);

    for (let left = 6; left > 0; left -= 1) {
      expect(render.running).toBe(Math.min(left, 2));
      render.letOneOut();
      await waitUntil(async () => (await queue.getJobCounts('active')).active === left - 1, {
        reason: 'a job has ended',
      });
    }

    expect(render.started).toEqual(jobs.map(({ id }) => id));
    await queue.close();
  });

  it('NA-4-03 leaves the other slots to other handlers, and its waiting jobs hold theirs', async () => {
    const { queue, render, send } = await start(1, 3);
    await queue.addBulk([
      { name: 'render', data: {} },
      { name: 'render', data: {} },
      { name: 'send', data: {} },
      { name: 'send', data: {} },
    ]);
    await waitUntil(() => send.running === 1, { reason: 'a job of the other handler runs' });

    expect(render.running).toBe(1);
    expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 3, waiting: 1 });

    render.letOneOut();
    await waitUntil(() => render.started.length === 2 && send.running === 2, { reason: 'the slot is used' });
    [render, send, send].forEach((gate) => gate.letOneOut());
    await queue.close();
  });

  it('NA-4-02 never raises the concurrency of the worker', async () => {
    const { queue, render } = await start(10, 2);
    await queue.addBulk(Array.from({ length: 4 }, () => ({ name: 'render', data: {} })));
    await waitUntil(() => render.running === 2, { reason: 'the worker is full' });

    expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 2, waiting: 2 });

    for (let ended = 0; ended < 4; ended += 1) {
      await waitUntil(() => render.running > 0, { reason: 'a job runs' });
      render.letOneOut();
    }
    await queue.close();
  });

  it('begins no waiting job when the application closes, and gives them back at no cost', async () => {
    const { app, events, queue, render } = await start(1, 5);
    const jobs = await queue.addBulk(Array.from({ length: 4 }, () => ({ name: 'render', data: {} })));
    await waitUntil(async () => (await queue.getJobCounts('active')).active === 4, {
      reason: 'the worker has all jobs',
    });

    const closed = app.close();
    await waitUntil(() => events.length > 0, { reason: 'the worker stops' });
    render.letOneOut();
    await closed;

    expect(render.started).toEqual([jobs[0]!.id]);
    expect(await queue.getJobCounts('active', 'completed')).toEqual({ active: 0, completed: 1 });
    const waiting = await queue.getWaiting();
    expect(waiting.map(({ id }) => id)).toEqual(jobs.slice(1).map(({ id }) => id));
    expect(waiting.map(({ attemptsMade }) => attemptsMade)).toEqual([0, 0, 0]);
    await queue.close();
  });

  it('does not begin a job whose lease was lost while it waited', async () => {
    const gate = new Gate();
    const lost: string[] = [];
    @Processor('email', { concurrency: 2, lockDuration: 60, stalledInterval: '1h' })
    class EmailProcessor {
      @Process('render', { concurrency: 1 })
      render(job: Job) {
        return gate.enter(job);
      }

      @OnWorkerEvent('lockRenewalFailed')
      onLost(jobIds: string[]) {
        lost.push(...jobIds);
      }
    }
    const backend = new FailingBackend(memory());
    // Renewals come every 20 ms; when one arrives at last, the leases are over.
    backend.plan('renewLeases', 'lose-request', 10);
    const logger = new RecordingLogger();
    await apps.start(
      {
        imports: [LaneModule.forRoot({ backend }), LaneModule.registerQueue('email')],
        providers: [EmailProcessor],
      },
      { logger },
    );
    const queue = new Queue('email', { backend });
    const [first] = await queue.addBulk([
      { name: 'render', data: {} },
      { name: 'render', data: {} },
    ]);
    await waitUntil(() => lost.length === 2, { reason: 'both leases are known to be lost' });

    gate.letOneOut();
    await waitUntil(() => logger.messages('error').filter((line) => line.includes('lease')).length === 2, {
      reason: 'both outcomes were refused',
    });

    expect(gate.started).toEqual([first!.id]);
    await queue.close();
  });
});
