import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getQueueToken, LaneModule, Process, Processor, type Queue } from 'nestjs-lane';
import {
  assertCompleted,
  assertEnqueued,
  assertFailed,
  assertIdle,
  findEnqueued,
  LaneHarness,
  useLaneTesting,
} from 'nestjs-lane/testing';
import 'nestjs-lane/testing/jest';

import { guardAgainstLeaks } from '../../support/leak-guard';

@Processor('email')
class EmailProcessor {
  @Process('send')
  send(): string {
    return 'sent';
  }

  @Process('fail')
  fail(): void {
    throw new Error('no such address');
  }
}

@Module({
  imports: [LaneModule.forRoot(), LaneModule.registerQueue('email')],
  providers: [EmailProcessor],
})
class AppModule {}

let app: INestApplicationContext;
let lane: LaneHarness;
let email: Queue;

afterEach(async () => {
  await app.close();
});

guardAgainstLeaks();

beforeEach(async () => {
  const moduleRef = await useLaneTesting(Test.createTestingModule({ imports: [AppModule] })).compile();
  app = moduleRef;
  lane = moduleRef.get(LaneHarness);
  email = moduleRef.get<Queue>(getQueueToken('email'), { strict: false });
});

/** What a check says that does not hold. */
function refusal(check: () => void): string {
  try {
    check();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It holds.');
}

describe('matchers', () => {
  it('NA-10-17 looks for a job by name, data and options, with matchers in them', async () => {
    await email.add('send', { to: 'a@b.co', at: new Date(0) }, { delay: '1h', headers: { tenant: '7' } });
    const view = lane.queue('email');

    expect(view).toHaveEnqueued('send');
    expect(lane).toHaveEnqueued('send', { to: 'a@b.co', at: new Date(0), cc: undefined });
    expect(view).toHaveEnqueued('send', { to: expect.stringContaining('@'), at: expect.anything() });
    expect(view).toHaveEnqueued('send', expect.objectContaining({ to: 'a@b.co' }), {
      delay: '60m',
      headers: { tenant: '7' },
    });
    expect(view).toHaveEnqueued('send', undefined, { delay: expect.any(Number) });
    expect(view).not.toHaveEnqueued('send', { to: 'a@b.co' });
    expect(view).not.toHaveEnqueued('send', undefined, { delay: '1s' });
    expect(lane.queue('email', 'other')).not.toHaveEnqueued('send');
    assertEnqueued(view, 'send');
    expect(findEnqueued(view, 'send', undefined, { delay: 3_600_000 })).toHaveLength(1);
    expect(findEnqueued(view, 'other')).toEqual([]);
  });

  it('NA-10-16 prints the nearest job and where it differs', async () => {
    const view = lane.queue('email');
    expect(refusal(() => expect(view).toHaveEnqueued('send'))).toMatch(/nothing was added/);
    await email.add('other', { to: 'a' });
    await email.add('send', { to: 'b', lines: [1, 2] }, { delay: '1m' });

    const check = (): void =>
      expect(view).toHaveEnqueued('send', { to: 'a', lines: [1, 3] }, { delay: '1h' });
    const message = refusal(check);

    expect(message).toContain('none of the 2 that were added is like this');
    expect(message).toContain(`"send" (id 2), data { lines: [ 1, 2 ], to: 'b' }`);
    expect(message).toMatch(/data\.to\n +expected: 'a'\n +received: 'b'/);
    expect(message).toMatch(/data\.lines\[1\]\n +expected: 3\n +received: 2/);
    expect(message).toMatch(/options\.delay\n +expected: 3600000\n +received: 60000/);
    expect(refusal(() => assertEnqueued(view, 'send', { to: 'a', lines: [1, 3] }, { delay: '1h' }))).toBe(
      message,
    );
    expect(refusal(() => expect(view).not.toHaveEnqueued('other'))).toContain(`"other" (id 1)`);
  });

  it('NA-10-17 looks at what became of jobs, of a run, a queue, or all', async () => {
    await email.add('send', {});
    await email.add('send', {});
    await email.add('fail', {});
    expect(lane).not.toBeIdle();
    expect(refusal(() => assertIdle(lane.queue('email')))).toMatch(/job "fail" of queue "email" is ready/);

    const run = await lane.runUntilIdle();

    expect(lane).toBeIdle();
    expect(run).toHaveCompleted('send');
    expect(lane.queue('email')).toHaveCompleted('send', 2);
    expect(run).not.toHaveCompleted('send', 1);
    expect(run).not.toHaveCompleted('fail');
    expect(run).toHaveFailed('fail', 1);
    expect(run).toHaveFailed('fail', 'such address');
    expect(run).toHaveFailed('fail', /^no/);
    expect(run).toHaveFailed('fail', expect.stringMatching('address'));
    expect(run).not.toHaveFailed('fail', 'other');
    expect(run).not.toHaveFailed('send');
    assertCompleted(run, 'send', 2);
    assertFailed(run, 'fail');
    expect(refusal(() => assertCompleted(run, 'fail'))).toMatch(
      /none has.*\n.*\n +"fail" \(id 3\) failed: no such address/,
    );
    expect(refusal(() => assertFailed(run, 'nobody'))).toMatch(/No job of that name has run/);
    expect(() => assertIdle({} as never)).toThrow(/has no record of jobs/);
  });
});
