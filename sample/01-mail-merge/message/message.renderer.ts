import { Injectable } from '@nestjs/common';
import MailComposer from 'nodemailer/lib/mail-composer';

import { fillIn, type Template } from './template';

/** One message to write. */
export interface Letter {
  id: string;
  date: Date;
  address: string;
  values: Record<string, string>;
}

/** Turns a template and the cells of a row into the bytes of a mail. */
@Injectable()
export class MessageRenderer {
  render(template: Template, { id, date, address, values }: Letter): Promise<Buffer> {
    const mail = new MailComposer({
      messageId: `<${id}@mail-merge.example.org>`,
      date,
      from: template.from,
      to: { name: inOneLine(fillIn(template.to, values)), address },
      subject: inOneLine(fillIn(template.subject, values)),
      text: `${fillIn(template.text, values)}\n`.replaceAll('\n', '\r\n'),
    });
    return mail.compile().build();
  }
}

/** A header is one line, whatever the cells hold: a line break in it would begin another header. */
function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
