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
            // A process that dies gives its jobs back within 5 + 2 * 2 seconds.
            worker: { concurrency: options.concurrency, lockDuration: '5s', stalledInterval: '2s' },
          },
        }),
        LaneModule.registerQueue({
          name: MAIL_QUEUE,
          defaults: {
            job: {
              attempts: 5,
              backoff: { type: 'exponential', delay: '100ms', jitter: 0.5 },
              // A job that is kept guards its id: who has their message is not written to again. A failed one
              // makes way, so that the next run tries it again.
              removeOnComplete: false,
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
