import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, type INestApplicationContext, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { InjectQueue, LaneModule, Process, Processor, type Job, type Queue } from 'nestjs-lane';
import { redis } from 'nestjs-lane/redis';
import { LaneHarness, LaneTestingModule, useLaneTesting, type LaneTestingOptions } from 'nestjs-lane/testing';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { RecordingLogger } from '../../support/nest-app';
import { waitUntil } from '../../support/wait-until';

@Injectable()
class Mailer {
  readonly sent: string[] = [];
}

@Injectable()
class SignupService implements OnModuleInit {
  isInitialized = false;

  constructor(@InjectQueue('email') readonly email: Queue) {}

  onModuleInit(): void {
    this.isInitialized = true;
  }

  async signUp(to: string): Promise<void> {
    await this.email.add('send', { to }, { delay: '1h' });
  }
}

@Processor('email')
class EmailProcessor {
  constructor(
    @Inject(Mailer) private readonly mailer: Mailer,
    @InjectQueue('email') private readonly email: Queue,
  ) {}

  @Process('send')
  send({ data }: Job<{ to: string; next?: string }>): string {
    this.mailer.sent.push(data.to);
    return `sent to ${data.to}`;
  }

  @Process('chain')
  async chain({ data }: Job<{ left: number }>): Promise<void> {
    this.mailer.sent.push(`chain ${data.left}`);
    if (data.left > 0) {
      await this.email.add('chain', { left: data.left - 1 });
    }
  }

  @Process('fail')
  fail(): void {
    throw new Error('no luck');
  }
}

@Module({
  imports: [
    LaneModule.forRoot({ backend: redis({ url: 'redis://127.0.0.1:1' }), requireConnection: false }),
    LaneModule.forRoot('reports', { backend: 'redis://127.0.0.1:1/0' }),
    LaneModule.forRoot('nowhere'),
    LaneModule.registerQueue(
      'email',
      { name: 'reports', connection: 'reports' },
      { name: 'other', connection: 'nowhere' },
    ),
  ],
  providers: [EmailProcessor, SignupService, Mailer],
})
class AppModule {}

const open: INestApplicationContext[] = [];
const env = process.env.NODE_ENV;

beforeEach(() => {
  process.env.NODE_ENV = 'production';
});

afterEach(async () => {
  process.env.NODE_ENV = env;
  await Promise.all(open.splice(0).map((app) => app.close()));
});

guardAgainstLeaks();

async function start(options?: LaneTestingOptions) {
  const moduleRef = await useLaneTesting(
    Test.createTestingModule({ imports: [AppModule] }),
    options,
  ).compile();
  open.push(moduleRef);
  return {
    moduleRef,
    lane: moduleRef.get(LaneHarness),
    signup: moduleRef.get(SignupService),
    email: moduleRef.get(SignupService).email,
    sent: moduleRef.get(Mailer).sent,
  };
}

describe('useLaneTesting', () => {
  it('NA-10-01 NA-10-03 NA-10-13 replaces every connection by memory in production too, and runs jobs when it is told', async () => {
    const { lane, signup, sent } = await start();

    await signup.signUp('a@b.co');

    expect(lane.mode).toBe('manual');
    expect(lane.queue('email').added).toMatchObject([{ name: 'send', data: { to: 'a@b.co' } }]);
    expect((await lane.runUntilIdle()).outcomes).toEqual([]);
    await lane.clock.advance('59m');
    expect((await lane.runUntilIdle()).completed).toBe(0);
    await lane.clock.advance('1m');
    expect(sent).toEqual([]);

    const run = await lane.runUntilIdle();

    expect(run.outcomes).toEqual([
      { queue: 'email', id: '1', name: 'send', kind: 'completed', result: 'sent to a@b.co' },
    ]);
    expect(sent).toEqual(['a@b.co']);
    expect(signup.isInitialized).toBe(true);
  });

  it('NA-10-02 does so for an application that is made by hand', async () => {
    const app = await NestFactory.createApplicationContext(
      { module: AppModule, imports: [LaneTestingModule.register()] },
      { logger: new RecordingLogger(), abortOnError: false },
    );
    open.push(app);
    const lane = app.get(LaneHarness);

    await app.get(SignupService).email.add('send', { to: 'a' });

    expect((await lane.runUntilIdle()).completed).toBe(1);
    expect(app.get(Mailer).sent).toEqual(['a']);
  });

  it('NA-10-04 waits in add until its job and what comes of it have run, and keeps failures and delays out of it', async () => {
    const { moduleRef, lane, email, signup, sent } = await start({ mode: 'inline' });
    await moduleRef.init();

    await email.add('chain', { left: 2 });
    expect(sent).toEqual(['chain 2', 'chain 1', 'chain 0']);
    await email.addBulk([
      { name: 'send', data: { to: 'a' } },
      { name: 'fail', data: {} },
      { name: 'send', data: { to: 'b' } },
    ]);
    expect(sent.slice(3)).toEqual(['a', 'b']);
    expect(lane.outcomes().at(-2)).toMatchObject({ kind: 'failed', reason: 'no luck' });
    await signup.signUp('later');
    expect(sent).not.toContain('later');
    await lane.clock.advance('1h');
    expect(sent.at(-1)).toBe('later');
  });

  it('NA-10-05 lets workers run by themselves in the mode auto', async () => {
    const { moduleRef, lane, email, sent } = await start({ mode: 'auto' });
    await moduleRef.init();

    const soon = await email.add('send', { to: 'soon' }, { delay: 20 });
    await expect(soon.finished()).resolves.toBe('sent to soon');
    const before = lane.clock.now();
    await email.add('send', { to: 'late' }, { delay: '1h' });
    await lane.clock.advance('1h');
    await waitUntil(() => sent.includes('late'), { reason: 'the late job has run' });
    expect(lane.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it('tells an option that it does not know', () => {
    const builder = Test.createTestingModule({ imports: [AppModule] });
    expect(() => useLaneTesting(builder, { mod: 'auto' } as never)).toThrow(/mod/);
    expect(() => useLaneTesting(builder, { mode: 'later' as never })).toThrow(/manual, inline, auto/);
  });
});
