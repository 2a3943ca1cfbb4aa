import { createHash, randomUUID } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { Inject, Injectable } from '@nestjs/common';

import { cannot } from '../bad-input.error';
import type { MailJob } from '../delivery/mail-job';
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
  ) {}

  async plan(): Promise<Campaign> {
    const { file, template: templatePath, out, fresh } = this.options;
    const template = await readTemplate(templatePath);
    const list = await this.reader.read(file);
    const source = await realpath(file);
    const existing = await this.outbox.open(out);

    const jobs = new Map<string, MailJob>();
    const run = randomUUID().slice(0, 8);
    let alreadySent = 0;
    for (const { address, values } of list.recipients) {
      const id = messageId(source, template, address.key);
      const fileName = `${id}.eml`;
      if (existing.has(fileName) && !fresh) {
        alreadySent += 1;
      } else {
        const job = { address: address.text, values, template, file: join(out, fileName), overwrite: fresh };
        jobs.set(fresh ? `${id}-${run}` : id, job);
      }
    }
    const missingColumns = requiredColumns(template).filter(
      (name) => !list.columns.includes(columnKey(name)),
    );
    return { list, jobs, alreadySent, missingColumns };
  }
}

async function readTemplate(path: string): Promise<Template> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw cannot('read', path, error);
  });
  return parseTemplate(decodeText(bytes, path), path);
}

/**
 * Names the message that this address gets from this file and template. As a job id it keeps a second run from
 * sending it again; a hash, because an id is no place for what people write into their files.
 */
function messageId(source: string, template: Template, address: string): string {
  const hash = createHash('sha256').update(JSON.stringify([source, template, address]));
  return `mail-${hash.digest('hex').slice(0, 32)}`;
}
