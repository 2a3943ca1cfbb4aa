import 'reflect-metadata';

import { NestFactory } from '@nestjs/core';
import { LaneError } from 'nestjs-lane/engine';

import { BadInputError } from './bad-input.error';
import { CampaignPlanner } from './campaign/campaign.planner';
import { CampaignService } from './campaign/campaign.service';
import { ProgressDisplay } from './campaign/progress.display';
import { formatSummary } from './campaign/summary';
import { HELP, readCommandLine } from './command-line';
import { MailMergeModule } from './mail-merge.module';
import { onStopSignal } from './stop-signal';

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2), process.env);
  if (!options) {
    process.stdout.write(HELP);
    return 0;
  }

  const app = await NestFactory.createApplicationContext(MailMergeModule.forRoot(options), {
    logger: ['warn', 'error', 'fatal'],
    abortOnError: false,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= app.close());
  try {
    const campaign = await app.get(CampaignPlanner).plan();

    let stopCode: number | undefined;
    onStopSignal((exitCode) => {
      stopCode = exitCode;
      app.get(ProgressDisplay).stop();
      console.error(
        'Stopping as soon as the messages that are being sent are written. Ctrl-C again: at once.',
      );
      void close();
    });

    const summary = await app.get(CampaignService).run(campaign);
    process.stdout.write(formatSummary(summary, options));
    return stopCode ?? (summary.tally.failed > 0 ? 1 : 0);
  } finally {
    await close();
  }
}

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const isKnown = error instanceof BadInputError || error instanceof LaneError;
    console.error(isKnown ? `mail-merge: ${error.message}` : error);
    process.exitCode = isKnown ? 2 : 1;
  },
);
