import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type Job,
  LaneLifecycle,
  LaneModule,
  type LaneModuleOptions,
  LaneRunner,
  type LaneState,
  Process,
  Processor,
} from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { ended, queueOf, RecordingLogger, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const apps = new TestApps();
guardAgainstLeaks();

/** An application whose handlers of queue `email` wait at a gate; those of `reports` and of the archive do not. */
async function start(options: LaneModuleOptions = {}) {
  const gate = new Gate();
  @Processor('email')
  class EmailProcessor {
    @Process()
    handle(job: Job) {
      return gate.enter(job);
    }
  }
  @Processor('reports')
  class ReportProcessor {
    @Process()
    handle() {
      return 'report';
    }
  }
  @Processor({ queue: 'email', connection: 'archive' })
  class ArchiveProcessor {
    @Process()
    handle() {
      return 'archived';
    }
  }
  const logger = new RecordingLogger();
  const app = await apps.start(
    {
      imports: [
        LaneModule.forRoot({ backend: memory(), ...options }),
        LaneModule.forRoot('archive', { backend: memory(), start: options.start }),
        LaneModule.registerQueue('email', 'reports', 'idle', { name: 'email', connection: 'archive' }),
      ],
      providers: [EmailProcessor, ReportProcessor, ArchiveProcessor],
    },
    { logger },
  );
  return {
    app,
    gate,
    logger,
    runner: app.get(LaneRunner),
    lifecycle: app.get(LaneLifecycle),
    email: queueOf(app, 'email'),
    reports: queueOf(app, 'reports'),
    archive: queueOf(app, 'email', 'archive'),
  };
}

describe('LaneRunner', () => {
  it('NA-8-03 starts all workers, or those of some queues', async () => {
    const { runner, logger, reports, archive } = await start({ start: 'manual' });
    const begun = () => logger.messages('log').map((line) => line.split(':')[0]);

    await runner.start({ queue: 'email', connection: 'archive' });
    expect(begun()).toEqual(['Queue "email" of connection "archive"']);
    await runner.start(['reports']);
    expect(begun().slice(1)).toEqual(['Queue "reports"']);
    await Promise.all([runner.start(), runner.start()]);
    expect(begun().slice(2)).toEqual(['Queue "email"']);

    expect((await ended(reports, await reports.add('run', {}))).returnvalue).toBe('report');
    expect((await ended(archive, await archive.add('run', {}))).returnvalue).toBe('archived');
  });

  it('NA-2-26 stops and starts workers again, those of some queues or all', async () => {
    const { runner, gate, email, reports, archive } = await start();
    const running = await email.add('run', {});
    await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });

    let isStopped = false;
    const stopped = runner.stop('email').then(() => (isStopped = true));
    const again = runner.stop('email');
    const next = await email.add('run', {});
    expect((await ended(reports, await reports.add('run', {}))).returnvalue).toBe('report');
    expect(isStopped).toBe(false);
    gate.letOneOut();
    await Promise.all([stopped, again]);

    expect(await running.getState()).toBe('completed');
    expect(await next.getState()).toBe('waiting');
    expect(gate.started).toEqual([running.id]);
    await runner.start();
    await waitUntil(() => gate.started.includes(next.id), { reason: 'the next job runs' });
    gate.open();
    await runner.stop();
    expect(await next.getState()).toBe('completed');
    await archive.add('run', {});
    expect(await archive.count()).toBe(1);
    await runner.start();
    await waitUntil(async () => (await archive.getCompletedCount()) === 1, {
      reason: 'the archive works again',
    });
  });

  it('starts a worker that is asked to while it stops, unless it is asked to stop after all', async () => {
    const { runner, gate, email } = await start();
    await email.add('run', {});
    await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });

    const calls = [runner.stop('email'), runner.start('email'), runner.stop('email')];
    gate.open();
    await Promise.all(calls);
    const { id } = await email.add('run', {});
    expect(gate.started).toHaveLength(1);

    await Promise.all([runner.stop('email'), runner.start('email')]);
    await waitUntil(async () => (await email.getJobState(id)) === 'completed', { reason: 'the job ran' });
  });

  it('NA-2-26 pauses and resumes workers, while jobs that run go on', async () => {
    const { runner, gate, email, reports } = await start();
    const running = await email.add('run', {});
    await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });

    await runner.pause();
    await runner.pause('email');
    const next = await email.add('run', {});
    gate.letOneOut();
    await waitUntil(async () => (await running.getState()) === 'completed', {
      reason: 'the running job ended',
    });
    expect(await email.isPaused()).toBe(false);
    await runner.resume('reports');
    expect((await ended(reports, await reports.add('run', {}))).returnvalue).toBe('report');
    expect(await next.getState()).toBe('waiting');

    await runner.resume();
    await runner.resume();
    await waitUntil(() => gate.started.includes(next.id), { reason: 'the next job runs' });
    gate.open();
  });

  it('keeps a pause over stop and start', async () => {
    const { runner, reports, archive } = await start({ start: 'manual' });
    await runner.pause('reports');
    await runner.start();
    const { id } = await reports.add('run', {});
    await ended(archive, await archive.add('run', {}));
    await runner.stop();
    await runner.start();
    await ended(archive, await archive.add('run', {}));
    expect(await reports.getJobState(id)).toBe('waiting');

    await runner.resume();
    await waitUntil(async () => (await reports.getJobState(id)) === 'completed', { reason: 'the job ran' });
  });

  it.each(['start', 'stop', 'pause', 'resume'] as const)(
    '%s refuses queues without a worker, and does nothing then',
    async (call) => {
      const { runner, logger } = await start({ start: 'manual' });
      const refused = async (queues: Parameters<LaneRunner['start']>[0]) =>
        (await runner[call](queues).catch((error: unknown) => error)) as { code: string; message: string };

      expect(await refused(['reports', 'reprots'])).toMatchObject({
        code: 'LANE_NO_WORKER',
        message:
          'Queue "reprots" is not registered. Did you mean "reports"? Correct the name, or add ' +
          "LaneModule.registerQueue('reprots') to a module.",
      });
      expect(await refused('idle')).toMatchObject({
        code: 'LANE_NO_WORKER',
        message:
          'Queue "idle" has no worker in this process, since no processor works on it. Provide a class with ' +
          "@Processor('idle').",
      });
      expect(await refused({ queue: 'email', connection: 'nowhere' })).toMatchObject({
        code: 'LANE_NO_WORKER',
      });
      expect(await refused('')).toMatchObject({ code: 'LANE_BAD_NAME' });
      expect(await refused({ queue: 'email', conection: 'archive' } as never)).toMatchObject({
        code: 'LANE_UNKNOWN_OPTION',
      });
      expect(logger.messages('log')).toEqual([]);
    },
  );

  it('can be injected anywhere, and refuses to start workers while the application starts', async () => {
    const refusals: unknown[] = [];
    @Injectable()
    class Impatient implements OnApplicationBootstrap {
      constructor(@Inject(LaneRunner) readonly runner: LaneRunner) {}

      async onApplicationBootstrap() {
        for (const call of ['start', 'stop', 'pause', 'resume'] as const) {
          refusals.push(await this.runner[call]().catch(({ code }: { code: string }) => `${call}: ${code}`));
        }
      }
    }
    await apps.start({ imports: [LaneModule.forRoot({ backend: memory() })], providers: [Impatient] });

    expect(refusals).toEqual(['start', 'stop', 'pause', 'resume'].map((call) => `${call}: LANE_NOT_STARTED`));
  });
});

describe('LaneLifecycle', () => {
  it('NA-2-27 NA-7-06 tells its state, the current one first, and ends when the module has closed', async () => {
    const { app, lifecycle } = await start();
    const states: LaneState[] = [];
    let isComplete = false;
    lifecycle.state$.subscribe({ next: (state) => states.push(state), complete: () => (isComplete = true) });
    expect(lifecycle.state).toBe('running');

    await app.close();

    expect(states).toEqual(['running', 'draining', 'drained', 'closed']);
    expect(isComplete).toBe(true);
    expect(lifecycle.state).toBe('closed');
  });

  it('is closed when the start failed', async () => {
    let lifecycle: LaneLifecycle | undefined;
    @Injectable()
    class Broken implements OnApplicationBootstrap {
      constructor(@Inject(LaneLifecycle) readonly injected: LaneLifecycle) {
        lifecycle = injected;
      }

      onApplicationBootstrap() {
        expect(this.injected.state).toBe('starting');
        throw new Error('no start');
      }
    }
    await expect(
      apps.start({ imports: [LaneModule.forRoot({ backend: memory() })], providers: [Broken] }),
    ).rejects.toThrow('no start');

    expect(lifecycle?.state).toBe('closed');
  });

  it('NA-8-13 drains early: running jobs end, none is taken, and jobs can be added until the close', async () => {
    const { app, gate, lifecycle, runner, email, reports } = await start();
    const running = await email.add('run', {});
    await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });

    const drained = [lifecycle.drain(), lifecycle.drain()];
    expect(lifecycle.state).toBe('draining');
    await expect(runner.start()).rejects.toMatchObject({ code: 'LANE_DRAINING' });
    gate.letOneOut();
    await Promise.all(drained);

    expect(lifecycle.state).toBe('drained');
    expect(await running.getState()).toBe('completed');
    await reports.add('run', {});
    expect(await reports.count()).toBe(1);
    await expect(runner.start('reports')).rejects.toMatchObject({ code: 'LANE_DRAINING' });
    await app.close();
    expect(lifecycle.state).toBe('closed');
    await lifecycle.drain();
    await expect(reports.add('run', {})).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });

  it('drains before the start, after which no worker starts', async () => {
    @Injectable()
    class Draining implements OnApplicationBootstrap {
      constructor(@Inject(LaneLifecycle) readonly lifecycle: LaneLifecycle) {}

      onApplicationBootstrap() {
        return this.lifecycle.drain();
      }
    }
    @Processor('email')
    class EmailProcessor {
      @Process()
      handle() {}
    }
    const logger = new RecordingLogger();
    const app = await apps.start(
      {
        imports: [LaneModule.forRoot({ backend: memory() }), LaneModule.registerQueue('email')],
        providers: [EmailProcessor, Draining],
      },
      { logger },
    );

    expect(logger.messages('log')).toEqual([]);
    expect(app.get(LaneLifecycle).state).toBe('drained');
  });
});
