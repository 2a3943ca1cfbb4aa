import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Inject, Injectable, Module, UseGuards, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  defineQueue,
  InjectQueue,
  job,
  LaneModule,
  Process,
  Processor,
  type Job,
  type JobContext,
  type Queue,
} from 'nestjs-lane';
import { LaneHarness, useLaneTesting, type LaneTestingOptions } from 'nestjs-lane/testing';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { waitUntil } from '../../support/wait-until';

@Injectable()
class Log {
  readonly lines: string[] = [];
  readonly gate = new Gate();
}

@Processor('email')
class EmailProcessor {
  constructor(
    @Inject(Log) private readonly log: Log,
    @InjectQueue('email') private readonly email: Queue,
  ) {}

  @Process('send')
  send({ data, attemptsMade }: Job<{ to: string }>): string {
    this.log.lines.push(`send ${data.to}`);
    return `attempt ${attemptsMade + 1}`;
  }

  @Process('again')
  async again(): Promise<void> {
    await this.email.add('again', {});
  }

  @Process('hang')
  async hang(job: Job, { signal }: JobContext): Promise<void> {
    signal.addEventListener('abort', () => this.log.lines.push('told to end'));
    this.log.lines.push('hangs');
    await this.log.gate.enter(job);
  }

  @Process('slow', { timeout: '10s' })
  slow(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Process('sleep')
  async sleep(): Promise<void> {
    // eslint-disable-next-line no-restricted-syntax -- a fake timer, which the test moves
    await new Promise((resolve) => void setTimeout(resolve, 3_600_000));
    this.log.lines.push('slept');
  }

  @UseGuards({ canActivate: () => false })
  @Process('guarded')
  guarded(): void {
    this.log.lines.push('let through');
  }

  @Process('headers')
  headers(job: Job): unknown {
    return job;
  }
}

@Module({
  imports: [
    LaneModule.forRoot({ defaults: { job: { attempts: 3, backoff: '1m' } } }),
    LaneModule.registerQueue('email', 'unused'),
  ],
  providers: [EmailProcessor, Log],
})
class AppModule {}

const open: INestApplicationContext[] = [];

afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

guardAgainstLeaks();

async function start(options?: LaneTestingOptions) {
  const moduleRef = await useLaneTesting(
    Test.createTestingModule({ imports: [AppModule] }),
    options,
  ).compile();
  open.push(moduleRef);
  const email = moduleRef.get<Queue>('LaneQueue("email")', { strict: false });
  return { moduleRef, lane: moduleRef.get(LaneHarness), email, log: moduleRef.get(Log, { strict: false }) };
}

describe('LaneHarness', () => {
  it('NA-10-06 fails with a table when a job adds itself again', async () => {
    const { lane, email } = await start();
    await email.add('again', {});

    await expect(lane.runUntilIdle({ maxJobs: 25 })).rejects.toMatchObject({
      code: 'LANE_NOT_IDLE',
      message: expect.stringMatching(
        /25 jobs have run[^]*queue +job +runs begun +running +ready\n +email +again +25 +- +1/,
      ),
    });
    // What it left is there still, and nothing has run meanwhile.
    expect(lane.queue('email').added).toHaveLength(26);
  });

  it('NA-10-06 fails with a table when a handler does not settle', async () => {
    const { lane, email, log } = await start();
    await email.add('hang', {});

    await expect(lane.runUntilIdle({ maxTime: 50 })).rejects.toMatchObject({
      code: 'LANE_NOT_IDLE',
      message: expect.stringMatching(/after 50 ms[^]*email +hang +1 +id 1, attempt 1 +0/),
    });
    log.gate.open();
    expect((await lane.runUntilIdle()).completed).toBe(1);
  });

  it('NA-10-06 takes maxTime as a duration, and refuses bounds that would bound nothing', async () => {
    const { lane, email, log } = await start();
    await email.add('hang', {});

    await expect(lane.runUntilIdle({ maxTime: '20ms' })).rejects.toMatchObject({
      code: 'LANE_NOT_IDLE',
      message: expect.stringContaining('after 20 ms'),
    });
    await expect(lane.runUntilIdle({ maxTime: 'soon' as never })).rejects.toMatchObject({
      code: 'LANE_BAD_DURATION',
    });
    await expect(lane.runUntilIdle({ maxJobs: NaN })).rejects.toMatchObject({ code: 'LANE_BAD_LIMIT' });
    log.gate.open();
    await lane.runUntilIdle();
  });

  it('NA-3-02 takes the definition of a queue wherever it takes its name', async () => {
    const Email = defineQueue('email', { send: job<{ to: string }, string>(), hang: job() });
    const { lane, email } = await start();
    const first = await email.add('send', { to: 'ann' });
    const second = await email.add('hang', {});

    expect(lane.queue(Email).added.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(await lane.runOne(Email)).toMatchObject({ id: first.id, kind: 'completed' });
    expect(await lane.perform(Email, 'send', { to: 'bob' })).toBe('attempt 1');
    expect(await lane.perform(EmailProcessor, Email.jobs.send, { to: 'bob' })).toBe('attempt 1');
    const { send } = defineQueue('fax', { send: job() }).jobs;
    await expect(lane.perform(EmailProcessor, send, {})).rejects.toMatchObject({
      code: 'LANE_TESTING',
      message: expect.stringContaining('"fax", not of "email"'),
    });
    expect(await lane.crash(Email)).toEqual([{ queue: 'email', id: second.id, name: 'hang' }]);
  });

  it('refuses options that it does not know, and runs nothing then', async () => {
    const { lane, email } = await start();
    await email.add('send', { to: 'a' });
    const wrong = <Options>(options: object) => options as Options;

    await expect(lane.runUntilIdle(wrong({ maxJob: 1 }))).rejects.toThrow('Did you mean "maxJobs"?');
    await expect(lane.perform('email', 'send', {}, wrong({ atempt: 2 }))).rejects.toThrow('"attempt"');
    await expect(lane.clock.advance('1h', wrong({ using: jest }))).rejects.toMatchObject({
      code: 'LANE_UNKNOWN_OPTION',
    });

    expect(lane.outcomes()).toEqual([]);
  });

  it('NA-10-07 runs the one job whose turn it is', async () => {
    const { lane, email, log } = await start();
    expect(await lane.runOne('email')).toBeUndefined();
    await email.add('send', { to: 'a' });
    await email.add('send', { to: 'b' });

    await expect(lane.runOne('email')).resolves.toMatchObject({
      id: '1',
      kind: 'completed',
      result: 'attempt 1',
    });

    expect(log.lines).toEqual(['send a']);
    await expect(lane.runOne('unused')).rejects.toMatchObject({ code: 'LANE_TESTING' });
  });

  it('NA-10-08 performs a handler by itself, as a given attempt, and gives what it gives', async () => {
    const { lane, log } = await start();

    await expect(lane.perform(EmailProcessor, 'send', { to: 'a' })).resolves.toBe('attempt 1');
    await expect(lane.perform('email', 'send', { to: 'b' }, { attempt: 3 })).resolves.toBe('attempt 3');
    const job = (await lane.perform(EmailProcessor, 'headers', {}, { headers: { tenant: '7' } })) as Job;
    expect(job.headers).toEqual({ tenant: '7' });

    await expect(lane.perform(EmailProcessor, 'guarded', {})).rejects.toMatchObject({
      outcomeCode: 'rejected',
    });

    expect(log.lines).toEqual(['send a', 'send b']);
    expect(lane.recorded).toEqual([]);
    await expect(lane.perform(EmailProcessor, 'sned', {})).rejects.toThrow(/sned/);
    await expect(lane.perform(Log, 'send', {})).rejects.toThrow(/@Processor/);
  });

  it('NA-10-08 performs a handler with data as `add` takes it, by the terms of its definition', async () => {
    const Email = defineQueue('email', {
      send: job<{ to: string }, string>({
        version: 2,
        upcast: ({ address }: { address: string }) => ({ to: address }),
        delay: '1h',
        attempts: 5,
        backoff: '1h',
      }),
      slow: job({ timeout: 5 }),
    });
    @Processor(Email)
    class TypedProcessor {
      @Process(Email.jobs.send)
      send({ data, attemptsMade }: Job<{ to: string }>): string {
        return `${data.to}, attempt ${attemptsMade + 1}`;
      }

      @Process(Email.jobs.slow)
      slow(): Promise<never> {
        return new Promise(() => undefined);
      }
    }
    const moduleRef = await useLaneTesting(
      Test.createTestingModule({
        imports: [LaneModule.forRoot(), LaneModule.registerQueue(Email)],
        providers: [TypedProcessor],
      }),
    ).compile();
    open.push(moduleRef);
    const lane = moduleRef.get(LaneHarness);

    await expect(lane.perform(TypedProcessor, 'send', { to: 'ann' })).resolves.toBe('ann, attempt 1');
    await expect(lane.perform(Email, 'send', { to: 'ann' }, { attempt: 3 })).resolves.toBe('ann, attempt 3');
    await expect(lane.perform(Email, 'sned', {})).rejects.toMatchObject({ code: 'LANE_UNKNOWN_JOB_NAME' });
    const slow = lane.perform(Email, 'slow', {}).catch((error: unknown) => error);
    await lane.clock.advance('1m');
    expect(await slow).toMatchObject({ message: expect.stringContaining('longer than its timeout of 5 ms') });
  });

  it('NA-10-08 performs a handler, and runs jobs, where `unknownJob` is given', async () => {
    const moduleRef = await useLaneTesting(
      Test.createTestingModule({
        imports: [
          LaneModule.forRoot({ defaults: { worker: { unknownJob: 'release' } } }),
          LaneModule.registerQueue('email'),
        ],
        providers: [EmailProcessor, Log],
      }),
    ).compile();
    open.push(moduleRef);
    const lane = moduleRef.get(LaneHarness);
    await moduleRef.get<Queue>('LaneQueue("email")', { strict: false }).add('sned', {});

    await expect(lane.perform(EmailProcessor, 'send', { to: 'a' })).resolves.toBe('attempt 1');
    expect((await lane.runUntilIdle()).heldBack).toBe(1);
  });

  it('NA-10-09 NA-10-13 makes attempts fail, whose back-off passes by the clock', async () => {
    const { lane, email, log } = await start();
    lane.fail('send', new Error('no line'), 2);
    await email.add('send', { to: 'a' });

    expect(await lane.runUntilIdle()).toMatchObject({ retried: 1, completed: 0 });
    await lane.clock.advance('59s');
    expect(await lane.runUntilIdle()).toMatchObject({ retried: 0, completed: 0 });
    await lane.clock.advance('1s');
    expect(await lane.runUntilIdle()).toMatchObject({ retried: 1, completed: 0 });
    await lane.clock.advance('1m');
    expect(await lane.runUntilIdle()).toMatchObject({ completed: 1 });

    expect(log.lines).toEqual(['send a']);
    expect(lane.outcomes().map(({ kind, reason }) => [kind, reason])).toEqual([
      ['retry', 'no line'],
      ['retry', 'no line'],
      ['completed', undefined],
    ]);
  });

  it('NA-10-10 lets a worker die with the job that is next, which is run again when its lease is over', async () => {
    const { lane, email, log } = await start();
    const { id } = await email.add('send', { to: 'a' });

    await expect(lane.crash('email')).resolves.toEqual([{ queue: 'email', id, name: 'send' }]);

    expect(log.lines).toEqual([]);
    expect(await email.getJobState(id)).toBe('active');
    expect((await lane.runUntilIdle()).outcomes).toEqual([]);
    await lane.clock.advance('2m');
    expect((await lane.runUntilIdle()).completed).toBe(1);
    expect(lane.events().map(({ type }) => type)).toContain('stalled');
    await expect(lane.crash()).rejects.toMatchObject({ code: 'LANE_TESTING' });
  });

  it('NA-10-10 lets a worker die in the middle of a handler, of which nothing is written any more', async () => {
    const { lane, email, log } = await start();
    const { id } = await email.add('hang', {});
    const run = lane.runUntilIdle();
    await waitUntil(() => log.gate.running === 1, { reason: 'the handler runs' });

    await lane.crash();
    expect((await run).outcomes).toEqual([]);
    expect(log.lines).toEqual(['hangs', 'told to end']);
    log.gate.open();
    expect(await email.getJobState(id)).toBe('active');
    await lane.clock.advance('2m');

    expect((await lane.runUntilIdle()).completed).toBe(1);
    expect(log.lines).toEqual(['hangs', 'told to end', 'hangs']);
  });

  it('NA-10-11 tells what was added, what became of it, and the events, in order', async () => {
    const { lane, email } = await start();
    await email.add('send', { to: 'a' }, { attempts: 1 });
    await email.add('send', { to: 'b' }, { delay: '1h', priority: 3 });
    const waiting = await email.add('send', { to: 'c' });
    await email.cancel(waiting.id, 'not wanted');
    await lane.runUntilIdle();

    expect(lane.recorded).toEqual([
      {
        queue: 'email',
        id: '1',
        name: 'send',
        data: { to: 'a' },
        options: { attempts: 1, backoff: { type: 'fixed', delay: 60_000 } },
      },
      {
        queue: 'email',
        id: '2',
        name: 'send',
        data: { to: 'b' },
        options: { attempts: 3, backoff: { type: 'fixed', delay: 60_000 }, delay: 3_600_000, priority: 3 },
      },
      expect.objectContaining({ id: '3' }),
    ]);
    expect(lane.outcomes()).toEqual([
      {
        queue: 'email',
        id: '3',
        name: 'send',
        kind: 'failed',
        reason: 'job was cancelled: not wanted',
        code: 'cancelled',
      },
      { queue: 'email', id: '1', name: 'send', kind: 'completed', result: 'attempt 1' },
    ]);
    const told = lane.events().filter((event) => 'jobId' in event && event.jobId === '1');
    expect(told.map(({ type, queue }) => [queue, type])).toEqual([
      ['email', 'added'],
      ['email', 'waiting'],
      ['email', 'active'],
      ['email', 'completed'],
    ]);
  });

  it('NA-10-12 tells what is left when the application was closed', async () => {
    const { moduleRef, lane, email, log } = await start();
    expect(() => lane.assertNoLeaks()).toThrow(/queue "email", producer: not closed/);
    await email.add('hang', {});
    await lane.runUntilIdle({ maxTime: 20 }).catch(() => undefined);

    await moduleRef.close();

    expect(log.lines).toEqual(['hangs', 'told to end']);
    expect(() => lane.assertNoLeaks()).toThrow(
      /job "hang" \(id 1\) of queue "email": its handler has not ended/,
    );
    log.gate.open();
    await new Promise((resolve) => setImmediate(resolve));
    lane.assertNoLeaks();
  });

  it('NA-10-13 fires time limits of handlers', async () => {
    const { lane, email } = await start();
    await email.add('slow', {}, { attempts: 1 });
    const run = lane.runUntilIdle();
    await new Promise((resolve) => setImmediate(resolve));

    await lane.clock.advance('20s');

    expect((await run).outcomes).toMatchObject([{ kind: 'failed', code: 'timeout' }]);
  });

  it('NA-10-14 moves fake timers along', async () => {
    const { lane, email, log } = await start();
    await email.add('send', { to: 'warm up' });
    await lane.runUntilIdle();
    jest.useFakeTimers();
    await email.add('sleep', {});
    const run = lane.runUntilIdle();

    await lane.clock.advance('59m', { with: jest });
    expect(log.lines).toEqual(['send warm up']);
    await lane.clock.advance('1m', { with: jest });

    expect((await run).completed).toBe(1);
    expect(log.lines).toEqual(['send warm up', 'slept']);
  });

  it('NA-10-19 fails a job at once whose name nobody handles', async () => {
    const { lane, email } = await start();
    await email.add('sned', {});

    const run = await lane.runUntilIdle();

    expect(run.outcomes).toMatchObject([{ name: 'sned', kind: 'failed' }]);
  });
});
