import { createHash, randomUUID } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { Inject, Injectable } from '@nestjs/common';
import { InjectQueue } from 'nestjs-lane';
import { Queue } from 'nestjs-lane/engine';

import { cannot } from '../bad-input.error';
import { MAIL_QUEUE, type MailJob, type MailReceipt } from '../delivery/mail-job';
import { Outbox } from '../delivery/outbox';
import { parseTemplate, requiredColumns, type Template } from '../message/template';
import { OPTIONS, type Options } from '../options';
import { columnKey } from '../recipients/column-key';
import { decodeText } from '../recipients/decode-text';
import type { RecipientList } from '../recipients/recipient';
import { RecipientsReader } from '../recipients/recipients.reader';

/** All that a run needs to know before the first job is added. */
export interface Campaign {
  list: RecipientList;
  /** Those to send, by job id. */
  jobs: Map<string, MailJob>;
  /** How many have their file already. */
  alreadySent: number;
  /** Columns that the template names and the file does not have. */
  missingColumns: string[];
}

/** Reads and checks everything a run depends on; nothing is sent while it may still turn out to be wrong. */
@Injectable()
export class CampaignPlanner {
  constructor(
    @Inject(OPTIONS) private readonly options: Options,
    private readonly reader: RecipientsReader,
    private readonly outbox: Outbox,
    @InjectQueue(MAIL_QUEUE) private readonly queue: Queue<MailJob, MailReceipt>,
  ) {}

  async plan(): Promise<Campaign> {
    const { file, template: templatePath, out, fresh } = this.options;
    const template = await readTemplate(templatePath);
    const list = await this.reader.read(file);
    const source = await realpath(file);
    const existing = await this.outbox.open(out);
    const folder = await realpath(out);

    const run = randomUUID().slice(0, 8);
    const planned = await Promise.all(
      list.recipients.map(async ({ address, values }): Promise<[string, MailJob] | undefined> => {
        const id = messageId([source, folder], template, address.key);
        const fileName = `${id}.eml`;
        const job = { address: address.text, values, template, file: join(out, fileName), overwrite: fresh };
        if (fresh) return [`${id}-${run}`, job];
        const jobId = existing.has(fileName) ? undefined : await this.openJobId(id, job.file);
        return jobId === undefined ? undefined : [jobId, job];
      }),
    );
    const jobs = new Map(planned.filter((entry) => entry !== undefined));
    const alreadySent = planned.length - jobs.size;
    const missingColumns = requiredColumns(template).filter(
      (name) => !list.columns.includes(columnKey(name)),
    );
    return { list, jobs, alreadySent, missingColumns };
  }

  /**
   * The id under which a message without a file is sent. A queue that outlives the process may remember its job: as one
   * that is still to be done, which this run then follows, or as done, by a process that works beside us. If it is done
   * and its file was taken away since, the message is sent again; under an id that every process comes to.
   */
  private async openJobId(id: string, file: string): Promise<string | undefined> {
    for (let jobId = id; ;) {
      const job = await this.queue.getJob(jobId);
      if (job?.finishedOn === undefined) return jobId;
      if (await this.outbox.has(file)) return undefined;
      jobId = `${id}-${job.finishedOn}`;
    }
  }
}

async function readTemplate(path: string): Promise<Template> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw cannot('read', path, error);
  });
  return parseTemplate(decodeText(bytes, path), path);
}

/**
 * Names the message that this address gets from this file and template in this folder. As a job id it keeps a second
 * run, or another process, from sending it again; a hash, because an id is no place for what people write into their
 * files.
 */
function messageId(paths: string[], template: Template, address: string): string {
  const hash = createHash('sha256').update(JSON.stringify([...paths, template, address]));
  return `mail-${hash.digest('hex').slice(0, 32)}`;
}
