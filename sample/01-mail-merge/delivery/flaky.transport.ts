import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { Inject, Injectable } from '@nestjs/common';

import { OPTIONS, type Options } from '../options';
import { Outbox } from './outbox';

const REPLIES = ['421 Service not available', '450 Mailbox busy', '451 Local error in processing'];

/**
 * Pretends to be a mail server: it takes its time, and turns an attempt away now and then. What it accepts is
 * written to the outbox. With the same seed it turns away the same attempts.
 */
@Injectable()
export class FlakyTransport {
  constructor(
    @Inject(OPTIONS) private readonly options: Options,
    private readonly outbox: Outbox,
  ) {}

  async send(message: Buffer, to: { address: string; file: string }, attempt: number): Promise<void> {
    const { seed, failureRate, latency } = this.options;
    const draw = createHash('sha256').update(`${seed}\n${to.address}\n${attempt}`).digest();
    await setTimeout(latency * (0.5 + fraction(draw, 0)));
    if (fraction(draw, 4) < failureRate) {
      throw new Error(REPLIES[draw[8]! % REPLIES.length]);
    }
    await this.outbox.write(to.file, message);
  }
}

/** A number from 0 to just below 1. */
function fraction(bytes: Buffer, offset: number): number {
  return bytes.readUInt32BE(offset) / 2 ** 32;
}
