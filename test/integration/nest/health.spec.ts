import { describe, expect, it } from '@jest/globals';
import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import * as terminus from '@nestjs/terminus';
import { LaneLifecycle, LaneModule, LaneRunner, Process, Processor, WorkerHost } from 'nestjs-lane';
import { memory } from 'nestjs-lane/memory';
import { LaneHealthIndicator, LaneHealthModule } from 'nestjs-lane/terminus';

import { AlteredBackend } from '../../support/altered-backend';
import { FailingBackend } from '../../support/failing-backend';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { queueOf, TestApps } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

const { HealthCheckService, TerminusModule } = terminus;

const apps = new TestApps();
guardAgainstLeaks();

const email = LaneModule.registerQueue('email');
const TEN_MINUTES = 600_000;

@Processor('email')
class EmailProcessor {
  @Process('send')
  send() {
    return 'sent';
  }
}

/** Keeps a job until its test lets it go. */
@Processor('email')
class SlowProcessor {
  letGo: (() => void)[] = [];

  @Process('send')
  send() {
    return new Promise<void>((resolve) => this.letGo.push(resolve));
  }
}

function start(metadata: ModuleMetadata = {}): Promise<INestApplicationContext> {
  const { imports = [LaneModule.forRoot(), email], ...others } = metadata;
  return apps.start({ imports, providers: [EmailProcessor], ...others });
}

describe('LaneLifecycle.report()', () => {
  it('NA-9-01 tells connections, workers and what is wrong', async () => {
    const app = await start({
      imports: [LaneModule.forRoot(), LaneModule.forRoot('unused', { backend: memory() }), email],
    });

    expect(await app.get(LaneLifecycle).report()).toEqual({
      state: 'running',
      isLive: true,
      isReady: true,
      problems: [],
      connections: [
        { name: 'default', kind: 'memory', isUp: true, awayFor: 0 },
        { name: 'unused', kind: 'memory', isUp: null, awayFor: 0 },
      ],
      workers: [
        {
          queue: 'email',
          connection: 'default',
          state: 'running',
          running: 0,
          longestRun: 0,
          silentFor: expect.any(Number),
        },
      ],
      backlogs: [],
      lag: expect.any(Number),
    });
  });

  it('refuses options and queues that it does not know, and times that are none', async () => {
    const lifecycle = (await start()).get(LaneLifecycle);

    await expect(lifecycle.report({ stuckafter: '1m' } as never)).rejects.toMatchObject({
      code: 'LANE_UNKNOWN_OPTION',
      message: expect.stringContaining('Did you mean "stuckAfter"?'),
    });
    await expect(lifecycle.report({ backlogAge: { emial: '1m' } })).rejects.toMatchObject({
      code: 'LANE_UNKNOWN_OPTION',
      message: expect.stringContaining('Did you mean "email"?'),
    });
    await expect(lifecycle.report({ backlogAge: { email: 'soon' as never } })).rejects.toMatchObject({
      code: 'LANE_BAD_DURATION',
    });
  });

  it('NA-9-02 finds a backend down that never answers, within the bound', async () => {
    const backend = new FailingBackend(memory());
    const lifecycle = (await start({ imports: [LaneModule.forRoot({ backend }), email] })).get(LaneLifecycle);
    backend.plan('isPaused', 'hold', Infinity);

    expect(await lifecycle.report({ pingWithin: 50 })).toMatchObject({
      isReady: false,
      isLive: true,
      connections: [{ name: 'default', isUp: false }],
    });
    backend.heal();
    backend.release();
  });

  it('takes a backend that stays away for lost, and one that is back for well', async () => {
    const backend = new FailingBackend(memory());
    const lifecycle = (await start({ imports: [LaneModule.forRoot({ backend }), email] })).get(LaneLifecycle);
    backend.plan('isPaused', 'lose-request', Infinity);

    expect(await lifecycle.report()).toMatchObject({ isLive: true, isReady: false });
    const report = await waitUntil(
      async () => {
        const one = await lifecycle.report({ awayFor: 20 });
        return one.isLive ? undefined : one;
      },
      { reason: 'the backend is taken for lost' },
    );
    expect(report.problems).toEqual([
      {
        kind: 'stuck',
        message: expect.stringMatching(
          /^The memory backend of the default connection has not answered for \d+ m?s\.$/,
        ),
      },
    ]);

    backend.heal();
    expect(await lifecycle.report({ awayFor: 20 })).toMatchObject({ isLive: true, isReady: true });
  });

  it('NA-9-03 finds a worker that should run and does not, and none that was stopped or paused by hand', async () => {
    const app = await start();
    await app.get(LaneRunner).pause();
    expect(await app.get(LaneLifecycle).report()).toMatchObject({
      isReady: true,
      workers: [{ state: 'paused', silentFor: null }],
    });
    await app.get(LaneRunner).stop();
    expect(await app.get(LaneLifecycle).report()).toMatchObject({ isReady: true });
  });

  it('NA-9-03 tells of a worker that somebody has closed behind the back of the runner', async () => {
    @Processor('email')
    class MovedProcessor extends WorkerHost {
      process() {
        return 'sent';
      }
    }
    const app = await start({ providers: [MovedProcessor] });

    await app.get(MovedProcessor).worker.close();

    expect(await app.get(LaneLifecycle).report()).toMatchObject({
      isLive: true,
      isReady: false,
      problems: [{ kind: 'unready', message: 'Queue "email": its worker should run and does not.' }],
    });
  });

  it('NA-9-04 finds a worker whose loop is stuck, and none that is idle', async () => {
    const backend = new AlteredBackend(memory());
    const ends: (() => void)[] = [];
    backend.alter(
      'waitForWork',
      () =>
        ({ signal }) =>
          new Promise((resolve) => {
            ends.push(resolve as () => void);
            signal.addEventListener('abort', () => resolve(undefined as never));
          }),
    );
    const stuck = await start({ imports: [LaneModule.forRoot({ backend }), email] });
    const idle = await start({
      imports: [LaneModule.forRoot({ defaults: { worker: { drainDelay: 0.02 } } }), email],
    });
    const report = await waitUntil(
      async () => {
        const one = await stuck.get(LaneLifecycle).report({ silentFor: 300 });
        return one.isLive ? undefined : one;
      },
      { reason: 'the worker is found stuck' },
    );
    expect(report).toMatchObject({
      isReady: false,
      problems: [
        {
          kind: 'stuck',
          message: expect.stringMatching(/^Queue "email": its worker has heard nothing of it for \d+ m?s\.$/),
        },
      ],
    });
    expect(await idle.get(LaneLifecycle).report({ silentFor: 300 })).toMatchObject({
      isLive: true,
      problems: [],
    });
  });

  it('NA-9-05 tells how late the event loop is', async () => {
    const lifecycle = (await start()).get(LaneLifecycle);

    const reporting = lifecycle.report({ lag: 100 });
    for (const until = performance.now() + 250; performance.now() < until;);
    expect(await reporting).toMatchObject({
      isReady: false,
      isLive: true,
      problems: [{ kind: 'unready', message: expect.stringMatching(/^The event loop is \d+ ms late\.$/) }],
    });
  });

  it('NA-9-06 finds jobs that run for too long', async () => {
    const app = await start({ providers: [SlowProcessor] });
    const lifecycle = app.get(LaneLifecycle);
    await queueOf(app, 'email').add('send', {});
    const report = await waitUntil(
      async () => {
        const one = await lifecycle.report({ stuckAfter: 5 });
        return one.isReady ? undefined : one;
      },
      { reason: 'the job runs for longer than 5 ms' },
    );

    expect(report).toMatchObject({
      isLive: true,
      problems: [
        { kind: 'unready', message: expect.stringMatching(/^Queue "email": a job runs for \d+ m?s\.$/) },
      ],
      workers: [{ running: 1 }],
    });
    expect(await lifecycle.report()).toMatchObject({ isReady: true });
    app.get(SlowProcessor).letGo.forEach((letGo) => letGo());
  });

  it('NA-9-07 NA-9-09 tells how long the oldest job waits, delays apart, which fails no probe', async () => {
    const app = await start({ imports: [LaneModule.forRoot({ role: 'producer' }), email] });
    const queue = queueOf(app, 'email');
    const timestamp = Date.now() - TEN_MINUTES;
    await queue.add('send', {}, { priority: 3, timestamp });
    await queue.add('send', {}, { timestamp: timestamp - TEN_MINUTES, delay: 10 * TEN_MINUTES });
    await queue.add('send', {});

    const report = await app.get(LaneLifecycle).report({ backlogAge: { email: '5m' } });
    expect(report).toMatchObject({
      isLive: true,
      isReady: true,
      problems: [
        {
          kind: 'backlog',
          message: expect.stringMatching(/^Queue "email": its oldest job has waited for 60\d s\.$/),
        },
      ],
    });
    expect(report.backlogs[0]!.age).toBeGreaterThanOrEqual(TEN_MINUTES);
    expect(report.backlogs[0]!.age).toBeLessThan(2 * TEN_MINUTES);
    expect(await app.get(LaneLifecycle).report({ backlogAge: { email: '1h' } })).toMatchObject({
      problems: [],
    });
  });

  it('NA-9-08 is not ready while the application drains, and live all the same', async () => {
    const app = await start();
    const lifecycle = app.get(LaneLifecycle);
    await lifecycle.drain();

    expect(await lifecycle.report()).toMatchObject({
      state: 'drained',
      isReady: false,
      isLive: true,
      problems: [{ kind: 'unready', message: 'The application is drained.' }],
    });
    await app.close();
    expect(await lifecycle.report()).toMatchObject({ state: 'closed', isReady: false, connections: [] });
  });
});

describe('LaneHealthIndicator', () => {
  /** Terminus 10 and 11 have an error by which they are told. */
  const knowsDegraded = !('HealthCheckError' in terminus);

  async function startWithTerminus(role: 'both' | 'producer' = 'both') {
    const app = await start({
      imports: [TerminusModule, LaneHealthModule, LaneModule.forRoot({ role }), email],
    });
    const health = await app.resolve(HealthCheckService);
    return { app, health, lane: app.get(LaneHealthIndicator) };
  }

  it('NA-9-10 tells Terminus what is up and what is down', async () => {
    const { app, health, lane } = await startWithTerminus();
    const checks = [
      () => lane.readiness('ready'),
      () => lane.liveness('live'),
      () => lane.check('all', { stuckAfter: '10m', backlogAge: { email: '5m' } }),
    ];
    const up = { status: 'up', state: 'running', problems: [], connections: { default: 'up' } };
    expect(await health.check(checks)).toMatchObject({
      status: 'ok',
      details: { ready: up, live: up, all: up },
    });

    await app.get(LaneLifecycle).drain();
    const down = { status: 'down', state: 'drained', problems: ['The application is drained.'] };
    await expect(health.check(checks)).rejects.toMatchObject({
      status: 503,
      response: {
        status: 'error',
        info: { live: { status: 'up' } },
        error: { ready: down, all: down },
      },
    });
  });

  it('NA-9-11 has a backlog fail the check, or calls it degraded where Terminus knows that', async () => {
    const { app, health, lane } = await startWithTerminus('producer');
    await queueOf(app, 'email').add('send', {}, { timestamp: Date.now() - TEN_MINUTES });
    const backlogAge = { email: '5m' } as const;

    await expect(health.check([() => lane.check('lane', { backlogAge })])).rejects.toMatchObject({
      response: { error: { lane: { status: 'down' } } },
    });
    expect(await health.check([() => lane.check('lane', { backlogAge, degraded: true })])).toMatchObject({
      status: knowsDegraded ? 'degraded' : 'ok',
      details: { lane: { status: knowsDegraded ? 'degraded' : 'up', problems: [expect.any(String)] } },
    });
  });
});
