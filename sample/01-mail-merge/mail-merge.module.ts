import { type DynamicModule, Module } from '@nestjs/common';
import { LaneModule } from 'nestjs-lane';

import { CampaignPlanner } from './campaign/campaign.planner';
import { CampaignService } from './campaign/campaign.service';
import { ProgressDisplay } from './campaign/progress.display';
import { FlakyTransport } from './delivery/flaky.transport';
import { MAIL_QUEUE } from './delivery/mail-job';
import { MailProcessor } from './delivery/mail.processor';
import { Outbox } from './delivery/outbox';
import { MessageRenderer } from './message/message.renderer';
import { OPTIONS, type Options } from './options';
import { RecipientsReader } from './recipients/recipients.reader';

@Module({})
export class MailMergeModule {
  static forRoot(options: Options): DynamicModule {
    return {
      module: MailMergeModule,
      imports: [
        LaneModule.forRoot({
          backend: options.backend,
          defaults: {
            // A process that dies gives its jobs back within 5 + 2 * 2 seconds. That is no fault of theirs: they are
            // sent once more however often it happens, within reason.
            worker: {
              // Stored with the jobs, so that a look at the queue shows who sent which message.
              name: `process ${process.pid}`,
              concurrency: options.concurrency,
              lockDuration: '5s',
              stalledInterval: '2s',
              maxStalledCount: 10,
            },
          },
        }),
        LaneModule.registerQueue({
          name: MAIL_QUEUE,
          defaults: {
            job: {
              attempts: 5,
              backoff: { type: 'exponential', delay: '100ms', jitter: 0.5 },
              // A job that is kept guards its id, against processes that add the same recipients at the same time. A
              // failed one makes way, so that the next run tries it again.
              removeOnComplete: { age: '7d' },
              removeOnFail: true,
            },
          },
        }),
      ],
      providers: [
        { provide: OPTIONS, useValue: options },
        CampaignPlanner,
        CampaignService,
        FlakyTransport,
        MailProcessor,
        MessageRenderer,
        Outbox,
        ProgressDisplay,
        RecipientsReader,
      ],
    };
  }
}
