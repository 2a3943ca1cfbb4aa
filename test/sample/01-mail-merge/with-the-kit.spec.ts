import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { LaneHarness, useLaneTesting } from 'nestjs-lane/testing';
import 'nestjs-lane/testing/jest';

import { CampaignPlanner } from '../../../sample/01-mail-merge/campaign/campaign.planner';
import { CampaignService } from '../../../sample/01-mail-merge/campaign/campaign.service';
import type { Summary } from '../../../sample/01-mail-merge/campaign/summary';
import { MailMergeModule } from '../../../sample/01-mail-merge/mail-merge.module';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { waitUntil } from '../../support/wait-until';
import { temporaryFolder } from './support/temporary-folder';

describe('the module of the mail merge, with the test kit', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'list.csv');
  const template = join(folder, 'template.txt');
  writeFileSync(file, 'email,name\nada@example.org,Ada\nalan@example.org,Alan\ngrace@example.org,Grace\n');
  writeFileSync(template, 'From: Us <us@example.org>\nSubject: Hello {{name}}\n\nDear {{name}}\n');

  let out: string;
  let moduleRef: TestingModule;
  let lane: LaneHarness;

  afterEach(() => moduleRef.close());

  guardAgainstLeaks();

  beforeEach(async () => {
    out = mkdtempSync(join(folder, 'out-'));
    const options = { file, template, out, concurrency: 2, seed: 'one', failureRate: 0, latency: 0 };
    const app = MailMergeModule.forRoot({ ...options, fresh: true, backend: 'redis://jobs.internal' });
    moduleRef = await useLaneTesting(Test.createTestingModule({ imports: [app] })).compile();
    lane = moduleRef.get(LaneHarness);
  });

  /** Begins a run, which is over when each message is sent or has failed. */
  async function begin(): Promise<{ over: Promise<Summary> }> {
    await moduleRef.init();
    const campaign = await moduleRef.get(CampaignPlanner).plan();
    const over = moduleRef.get(CampaignService).run(campaign);
    await waitUntil(() => lane.recorded.length === 3, { reason: 'the messages are queued' });
    return { over };
  }

  it('NA-10-20 sends what was planned, and by its back-off what was turned away', async () => {
    const { over } = await begin();
    expect(lane).toHaveEnqueued('send', expect.objectContaining({ address: 'ada@example.org' }), {
      attempts: 5,
    });
    expect(readdirSync(out)).toEqual([]);

    lane.fail('send', new Error('421 Service not available'), 2);
    const first = await lane.runUntilIdle();
    expect(first).toHaveCompleted('send', 1);
    expect(first.retried).toBe(2);
    expect(lane).toBeIdle();

    await lane.clock.advance('100ms');
    expect(await lane.runUntilIdle()).toHaveCompleted('send', 2);
    const { tally } = await over;
    expect([tally.sent, tally.retried, tally.pending.size]).toEqual([3, 2, 0]);
    expect(readdirSync(out)).toHaveLength(3);
  });

  it('NA-10-20 gives a message up after five attempts', async () => {
    const { over } = await begin();
    lane.fail('send', new Error('450 Mailbox busy'), 15);
    await lane.runUntilIdle();
    for (const delay of ['100ms', '200ms', '400ms'] as const) {
      await lane.clock.advance(delay);
      await lane.runUntilIdle();
    }
    expect(lane).not.toHaveFailed('send');

    await lane.clock.advance('800ms');
    expect(await lane.runUntilIdle()).toHaveFailed('send', 3);
    expect(lane).toHaveFailed('send', '450 Mailbox busy');
    await over;
  });
});
