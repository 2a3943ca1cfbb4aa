import type { Template } from '../message/template';

export const MAIL_QUEUE = 'mail-merge';

/** Payload of a job: all that it takes to send one message, since any process of the queue may run it. */
export interface MailJob {
  address: string;
  values: Record<string, string>;
  template: Template;
  /** The .eml file to write. */
  file: string;
  /** Write it even if it is there. */
  overwrite: boolean;
}

/** Result of a job. */
export interface MailReceipt {
  /** Attempts that it took. */
  attempts: number;
}
