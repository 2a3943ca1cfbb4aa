import { Process, Processor } from 'nestjs-lane';
import { Job } from 'nestjs-lane/engine';

import { MessageRenderer } from '../message/message.renderer';
import { FlakyTransport } from './flaky.transport';
import { MAIL_QUEUE, type MailJob, type MailReceipt } from './mail-job';
import { Outbox } from './outbox';

/** Sends the messages. An error that leaves `send` is a failed attempt; the queue tries again. */
@Processor(MAIL_QUEUE)
export class MailProcessor {
  constructor(
    private readonly renderer: MessageRenderer,
    private readonly transport: FlakyTransport,
    private readonly outbox: Outbox,
  ) {}

  @Process('send')
  async send(job: Job<MailJob, MailReceipt>): Promise<MailReceipt> {
    const { address, values, template, file, overwrite } = job.data;
    const attempts = job.attemptsMade + 1;
    // A job runs at least once: the process may have ended between the file and the word that it is written.
    if (overwrite || !(await this.outbox.has(file))) {
      const letter = { id: job.id, date: new Date(job.timestamp), address, values };
      const message = await this.renderer.render(template, letter);
      await this.transport.send(message, { address, file }, attempts);
    }
    return { attempts };
  }
}
